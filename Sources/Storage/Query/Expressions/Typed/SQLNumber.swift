/// A number type, which has SQL's arithmetic operators.
public protocol SQLNumber: SQLAddable {}

extension SQLNumber {
  /// `+`
  public static var sqlAddition: SQLExpression.AssociativeBinaryOperator { .add }
}

extension Double: SQLNumber {}
extension Float: SQLNumber {}
