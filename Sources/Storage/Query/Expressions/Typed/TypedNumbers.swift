/// A type whose values SQL adds with `+`, or concatenates with `||`.
public protocol SQLAddable: DatabaseValueConvertible {
  /// The operator behind Swift's `+`.
  static var sqlAddition: SQLExpression.AssociativeBinaryOperator { get }
}

/// A number, with which SQL calculates.
public protocol SQLNumber: SQLAddable {}

/// An integer, whose bits SQL combines.
public protocol SQLInteger: SQLNumber {}

extension SQLNumber {
  /// `+`
  public static var sqlAddition: SQLExpression.AssociativeBinaryOperator { .add }
}

extension String: SQLAddable {
  /// `||`
  public static var sqlAddition: SQLExpression.AssociativeBinaryOperator { .concat }
}

extension Int: SQLInteger {}
extension Int8: SQLInteger {}
extension Int16: SQLInteger {}
extension Int32: SQLInteger {}
extension Int64: SQLInteger {}
extension UInt: SQLInteger {}
extension UInt8: SQLInteger {}
extension UInt16: SQLInteger {}
extension UInt32: SQLInteger {}
extension UInt64: SQLInteger {}
extension Double: SQLNumber {}
extension Float: SQLNumber {}
