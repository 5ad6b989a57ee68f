/// An expression whose values have a known Swift type.
public struct TypedExpression<Value: DatabaseValueConvertible>: TypedExpressible, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias OperandValue = Value

  /// The expression without its type.
  public let sqlExpression: SQLExpression

  /// Creates a typed expression from an untyped one. The type is not checked.
  ///
  ///     TypedExpression<Int>(SQL("LENGTH(name)")) > 3
  ///     // (LENGTH(name)) > 3
  public init(_ expression: some SQLSpecificExpressible) {
    sqlExpression = expression.sqlExpression
  }
}

extension TypedExpression: SQLCondition where Value.Unwrapped == Bool {}
