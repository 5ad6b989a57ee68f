/// A column or expression whose values have a known Swift type. Operators between different types
/// do not compile:
///
///     let id = TypedColumn<Int64>("id")
///     id == 12
///     // "id" = 12
///     id == "twelve"  // does not compile
///
/// Use ``untyped`` to mix types. The type of a column that can be NULL is `Optional`.
public protocol TypedExpressible<Value>: TypedOperand, SQLFunctionArgument, SQLSelectable,
  SQLOrderingTerm
where OperandValue == Value {
  /// The type of the values.
  associatedtype Value: DatabaseValueConvertible
}

extension TypedExpressible {
  /// The expression without its type, which combines with any other expression.
  ///
  ///     TypedColumn<Int64>("id").untyped == "twelve"
  ///     // "id" = 'twelve'
  public var untyped: SQLExpression { sqlExpression }

  /// The expression as a result column.
  ///
  ///     Player.select(TypedColumn<String>("name"))
  ///     // SELECT "name" FROM "player"
  public var sqlSelection: SQLSelection { untyped.sqlSelection }

  /// The expression as an ordering term.
  ///
  ///     Player.order(TypedColumn<String>("name"))
  ///     // SELECT * FROM "player" ORDER BY "name"
  public var sqlOrdering: SQLOrdering { untyped.sqlOrdering }

  /// The ascending order: smallest value first.
  ///
  ///     Player.order(TypedColumn<Int>("score").asc)
  ///     // SELECT * FROM "player" ORDER BY "score" ASC
  public var asc: SQLOrdering { untyped.asc }

  /// The descending order: largest value first.
  ///
  ///     Player.order(TypedColumn<Int>("score").desc)
  ///     // SELECT * FROM "player" ORDER BY "score" DESC
  public var desc: SQLOrdering { untyped.desc }

  /// The ascending order, with NULL at the end instead of the beginning.
  ///
  ///     Player.order(TypedColumn<Int?>("score").ascNullsLast)
  ///     // SELECT * FROM "player" ORDER BY "score" ASC NULLS LAST
  public var ascNullsLast: SQLOrdering { untyped.ascNullsLast }

  /// The descending order, with NULL at the beginning instead of the end.
  ///
  ///     Player.order(TypedColumn<Int?>("score").descNullsFirst)
  ///     // SELECT * FROM "player" ORDER BY "score" DESC NULLS FIRST
  public var descNullsFirst: SQLOrdering { untyped.descNullsFirst }

  /// Names the expression as a result column.
  ///
  ///     Player.select(TypedColumn<Int>("score").forKey("points"))
  ///     // SELECT "score" AS "points" FROM "player"
  public func forKey(_ name: String) -> SQLSelection { untyped.forKey(name) }

  /// Names the expression after a coding key, as a result column.
  ///
  ///     Player.select(TypedColumn<Int>("score").forKey(CodingKeys.points))
  ///     // SELECT "score" AS "points" FROM "player"
  public func forKey(_ key: some CodingKey) -> SQLSelection { untyped.forKey(key) }
}

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

/// A typed operand of an SQL expression: a typed column or expression, or a value.
public protocol TypedOperand<OperandValue>: SQLExpressible {
  /// The type of the values.
  associatedtype OperandValue: DatabaseValueConvertible
}

/// A number type, which has SQL's arithmetic operators.
public protocol SQLNumber: SQLAddable {}

extension SQLNumber {
  /// `+`
  public static var sqlAddition: SQLExpression.AssociativeBinaryOperator { .add }
}

extension Double: SQLNumber {}
extension Float: SQLNumber {}

/// An integer type, which has SQL's bitwise operators.
public protocol SQLInteger: SQLNumber {}

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
