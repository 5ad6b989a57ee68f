/// A type that means SQL whose values have a known Swift type. Operators between different types don't
/// compile:
///
///     let id = TypedColumn<Int64>("id")
///     id == 12
///     // "id" = 12
///     id == "twelve"  // does not compile
///
/// ``untyped`` is the way out. An `Optional` type is that of a column that can be NULL.
public protocol TypedExpressible<Value>: TypedOperand, SQLSelectable, SQLOrderingTerm
where OperandValue == Value {
  /// The type of the values.
  associatedtype Value: DatabaseValueConvertible
}

/// What has one Swift type where SQL is built: a typed column or expression, or a value.
public protocol TypedOperand<OperandValue>: SQLExpressible {
  /// The type of the values.
  associatedtype OperandValue: DatabaseValueConvertible
}

extension TypedExpressible {
  /// The expression without its type, which combines with everything.
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

  /// Ascending: the smallest value first.
  ///
  ///     Player.order(TypedColumn<Int>("score").asc)
  ///     // SELECT * FROM "player" ORDER BY "score" ASC
  public var asc: SQLOrdering { untyped.asc }

  /// Descending: the largest value first.
  ///
  ///     Player.order(TypedColumn<Int>("score").desc)
  ///     // SELECT * FROM "player" ORDER BY "score" DESC
  public var desc: SQLOrdering { untyped.desc }

  /// The expression as a result column with a name of its own.
  ///
  ///     Player.select(TypedColumn<Int>("score").forKey("points"))
  ///     // SELECT "score" AS "points" FROM "player"
  public func forKey(_ name: String) -> SQLSelection { untyped.forKey(name) }
}

/// An expression whose values have a known Swift type.
public struct TypedExpression<Value: DatabaseValueConvertible>: TypedExpressible, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias OperandValue = Value

  /// The expression without its type.
  public let sqlExpression: SQLExpression

  /// Gives an expression a type, for which nobody vouches but you.
  ///
  ///     TypedExpression<Int>(SQL("LENGTH(name)")) > 3
  ///     // (LENGTH(name)) > 3
  public init(_ expression: some SQLSpecificExpressible) {
    sqlExpression = expression.sqlExpression
  }
}

/// A column whose values have a known Swift type. An `Optional` type is that of a column that can be NULL.
///
///     enum Columns {
///       static let id = TypedColumn<Int64>("id")
///       static let email = TypedColumn<String?>("email")
///     }
///     Player.filter { $0.email == nil && $0.id > 12 }
///     // SELECT * FROM "player" WHERE ("email" IS NULL) AND ("id" > 12)
public struct TypedColumn<Value: DatabaseValueConvertible>: TypedExpressible, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias OperandValue = Value

  /// The name of the column, without quotes.
  public let name: String

  /// Makes a column of its name.
  public init(_ name: String) {
    self.name = name
  }

  /// Makes a column of a coding key.
  public init(_ key: some CodingKey) {
    name = key.stringValue
  }

  /// The column without its type.
  public var column: Column { Column(name) }

  /// The expression without its type.
  public var sqlExpression: SQLExpression { column.sqlExpression }
}

extension TypedExpression: SQLCondition where Value.Unwrapped == Bool {}
extension TypedColumn: SQLCondition where Value.Unwrapped == Bool {}

// MARK: - Functions

/// The value, converted to the type of a column.
///
///     cast(TypedColumn<Int>("age"), as: String?.self)
///     // CAST("age" AS TEXT)
public func cast<Value: DatabaseValueConvertible>(
  _ value: some TypedExpressible,
  as type: Value.Type
) -> TypedExpression<Value> {
  TypedExpression(cast(value.untyped, as: type.databaseColumnType ?? .blob))
}

/// The largest value; NULL when there is none.
///
///     Player.select { max($0.score) }
///     // SELECT MAX("score") FROM "player"
public func max<Expression: TypedExpressible>(
  _ value: Expression
) -> TypedExpression<Expression.Value.Unwrapped?> {
  TypedExpression(max(value.untyped))
}

/// The smallest value; NULL when there is none.
///
///     Player.select { min($0.score) }
///     // SELECT MIN("score") FROM "player"
public func min<Expression: TypedExpressible>(
  _ value: Expression
) -> TypedExpression<Expression.Value.Unwrapped?> {
  TypedExpression(min(value.untyped))
}

/// The sum of the values; NULL when there is none.
///
///     Player.select { sum($0.score) }
///     // SELECT SUM("score") FROM "player"
public func sum<Expression: TypedExpressible>(
  _ value: Expression
) -> TypedExpression<Expression.Value.Unwrapped?> where Expression.Value.Unwrapped: SQLNumber {
  TypedExpression(sum(value.untyped))
}

/// The sum of the values; 0.0 when there is none.
///
///     Player.select { total($0.score) }
///     // SELECT TOTAL("score") FROM "player"
public func total<Expression: TypedExpressible>(
  _ value: Expression
) -> TypedExpression<Double> where Expression.Value.Unwrapped: SQLNumber {
  TypedExpression(total(value.untyped))
}

/// The average of the values; NULL when there is none.
///
///     Player.select { average($0.score) }
///     // SELECT AVG("score") FROM "player"
public func average<Expression: TypedExpressible>(
  _ value: Expression
) -> TypedExpression<Double?> where Expression.Value.Unwrapped: SQLNumber {
  TypedExpression(average(value.untyped))
}

/// The number of values that are not NULL.
///
///     Player.select { count($0.email) }
///     // SELECT COUNT("email") FROM "player"
public func count(_ value: some TypedExpressible) -> TypedExpression<Int> {
  TypedExpression(count(value.untyped))
}

/// The number of distinct values that are not NULL.
///
///     Player.select { count(distinct: $0.email) }
///     // SELECT COUNT(DISTINCT "email") FROM "player"
public func count(distinct value: some TypedExpressible) -> TypedExpression<Int> {
  TypedExpression(count(distinct: value.untyped))
}

/// The number of characters of a text.
///
///     Player.select { length($0.name) }
///     // SELECT LENGTH("name") FROM "player"
public func length(_ value: some TypedExpressible) -> TypedExpression<Int?> {
  TypedExpression(length(value.untyped))
}
