/// Values for the parameters of a statement, by position: the type of an array literal such as
/// `[1, "cup", price]` that contains no literal `nil`. Its values may be optionals.
///
/// Binding them is faster than binding ``StatementArguments``, because they are not converted
/// first.
public struct PositionalArguments: ExpressibleByArrayLiteral {
  let values: [any DatabaseValueConvertible]

  // An array parameter would not do instead of this type: it would also take `[1, nil, 2.5]`, as an
  // array of `Double?`, and turn the integer into a real number.

  /// Creates arguments from values.
  public init(_ values: [any DatabaseValueConvertible]) {
    self.values = values
  }

  /// Creates arguments from values.
  public init(arrayLiteral elements: any DatabaseValueConvertible...) {
    values = elements
  }
}
