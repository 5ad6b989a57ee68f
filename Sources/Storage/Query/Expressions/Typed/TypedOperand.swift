/// A typed operand of an SQL expression: a typed column or expression, or a value.
public protocol TypedOperand<OperandValue>: SQLExpressible {
  /// The type of the values.
  associatedtype OperandValue: DatabaseValueConvertible
}
