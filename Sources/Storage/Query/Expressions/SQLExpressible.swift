/// A type whose values can be part of an SQL expression: columns, expressions, and all values that
/// a database stores.
public protocol SQLExpressible {
  /// The value as an expression.
  var sqlExpression: SQLExpression { get }
}
