/// A type that has the operator `+`: numbers, which SQL adds with `+`, and strings, which it
/// concatenates with `||`.
public protocol SQLAddable: DatabaseValueConvertible {
  /// The SQL operator behind Swift's `+`.
  static var sqlAddition: SQLExpression.AssociativeBinaryOperator { get }
}

extension String: SQLAddable {
  /// `||`
  public static var sqlAddition: SQLExpression.AssociativeBinaryOperator { .concat }
}
