extension DatabaseFunction {
  /// Creates a function that computes a value from many rows. With a ``DatabaseWindowAggregate``,
  /// it also serves as a window function.
  ///
  /// - Parameters:
  ///   - name: The name by which SQL calls the function.
  ///   - argumentCount: How many arguments it takes; `nil` for any number.
  ///   - pure: Whether it always gives the same result for the same rows.
  ///   - aggregate: The type of the computation.
  public init<Aggregate: DatabaseAggregate>(
    _ name: String,
    argumentCount: Int? = nil,
    pure: Bool = false,
    aggregate: Aggregate.Type
  ) {
    let windowAggregate = aggregate as? any DatabaseWindowAggregate.Type
    self.init(
      name,
      argumentCount: argumentCount,
      pure: pure,
      kind: windowAggregate?.windowFunction
        ?? AggregateFunction(isWindowFunction: false) { AggregateRun(Aggregate()) }
    )
  }
}

extension DatabaseWindowAggregate {
  fileprivate static var windowFunction: AggregateFunction {
    AggregateFunction(isWindowFunction: true) { AggregateRun(Self()) { try $0.remove($1) } }
  }
}
