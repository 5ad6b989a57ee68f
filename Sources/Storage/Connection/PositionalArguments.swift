/// Values for the parameters of a statement, in their order, without a literal `nil`: what a literal
/// such as `[1, "cup", price]` is taken for.
///
/// It is bound without being converted first, which takes less time than ``StatementArguments``.
public struct PositionalArguments: ExpressibleByArrayLiteral {
  let values: [any DatabaseValueConvertible]

  // A type of its own, because an array parameter would also take `[1, nil, 2.5]`, as an array of
  // `Double?`, and make a real number of the whole one.

  /// Makes arguments of values.
  public init(_ values: [any DatabaseValueConvertible]) {
    self.values = values
  }

  /// Makes arguments of values.
  public init(arrayLiteral elements: any DatabaseValueConvertible...) {
    values = elements
  }
}
