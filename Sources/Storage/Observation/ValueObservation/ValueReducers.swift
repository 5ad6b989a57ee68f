/// Names of observed values, for types that are spelled as in GRDB.
///
/// A ``ValueObservation`` has the type of its values as its one parameter. Each name stands for a
/// type of values:
///
///     let observation: ValueObservation<ValueReducers.Fetch<[Item]>>
///     // ValueObservation<[Item]>
public enum ValueReducers {
  /// The values that an observation fetches.
  public typealias Fetch<Value> = Value
  /// The values that an observation makes from those of another one.
  public typealias Map<Base, Value> = Value
  /// The values of an observation without equal ones in succession.
  public typealias RemoveDuplicates<Base> = Base
  /// The values of an observation whose events are printed or handled.
  public typealias Trace<Base> = Base
}
