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
