/// A column by its name: a ``TypedColumn``, or a column whose values have no known type.
public protocol NamedColumn {
  /// The name of the column, without quotes.
  var name: String { get }
}
