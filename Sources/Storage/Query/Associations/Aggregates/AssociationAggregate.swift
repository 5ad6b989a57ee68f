/// A value that is computed from the associated rows of each row: their number, their smallest
/// value, …
///
///     Team.annotated(with: Team.players.count)
///     // SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount" FROM "team"
///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
///
///     Team.having(Team.players.count >= 2)
///     // SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id"
///     // GROUP BY "team"."id" HAVING COUNT(DISTINCT "player"."id") >= 2
///
/// Aggregates combine by Swift's operators, and by some functions: `abs`, `cast`, `length`, …
///
/// An aggregate does not depend on the other aggregates of a request. Where joins would count a row
/// twice, the aggregate is a subquery.
public struct AssociationAggregate<RowDecoder>: Sendable {
  let expression: SQLExpression
  /// The name of the result column; `nil` for the text of the expression.
  private(set) var key: String?

  init(_ expression: SQLExpression, key: String? = nil) {
    self.expression = expression
    self.key = key
  }

  /// Names the result column.
  ///
  ///     Team.annotated(with: Team.players.count.forKey("size"))
  ///     // SELECT "team".*, COUNT(DISTINCT "player"."id") AS "size" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func forKey(_ name: String) -> Self { Self(expression, key: name) }

  /// Names the result column after a coding key.
  ///
  ///     Team.annotated(with: Team.players.count.forKey(TeamInfo.CodingKeys.size))
  ///     // SELECT "team".*, COUNT(DISTINCT "player"."id") AS "size" FROM "team"
  ///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
  public func forKey(_ key: some CodingKey) -> Self { forKey(key.stringValue) }

  /// The aggregate as a result column.
  var selection: SQLSelection { key.map { expression.forKey($0) } ?? expression.sqlSelection }
}

extension AssociationAggregate: SQLOrderingTerm {
  /// The aggregate as an ordering term.
  ///
  ///     Team.order(Team.players.count)
  ///     // SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id"
  ///     // GROUP BY "team"."id" ORDER BY COUNT(DISTINCT "player"."id")
  public var sqlOrdering: SQLOrdering { expression.sqlOrdering }

  /// The ascending order: smallest value first.
  ///
  ///     Team.order(Team.players.count.asc)
  ///     // SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id"
  ///     // GROUP BY "team"."id" ORDER BY COUNT(DISTINCT "player"."id") ASC
  public var asc: SQLOrdering { expression.asc }

  /// The descending order: largest value first.
  ///
  ///     Team.order(Team.players.count.desc)
  ///     // SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id"
  ///     // GROUP BY "team"."id" ORDER BY COUNT(DISTINCT "player"."id") DESC
  public var desc: SQLOrdering { expression.desc }
}

extension AssociationAggregate {
  /// The `AND` operator.
  ///
  ///     Team.players.isEmpty && Team.players.count > 9
  ///     // (COUNT(DISTINCT "player"."id") = 0) AND (COUNT(DISTINCT "player"."id") > 9)
  @_disfavoredOverload
  public static func && (left: Self, right: Self) -> Self {
    Self(left.expression && right.expression)
  }

  /// The `OR` operator.
  ///
  ///     Team.players.isEmpty || Team.players.count > 9
  ///     // (COUNT(DISTINCT "player"."id") = 0) OR (COUNT(DISTINCT "player"."id") > 9)
  @_disfavoredOverload
  public static func || (left: Self, right: Self) -> Self {
    Self(left.expression || right.expression)
  }

  /// The `NOT` operator, or the opposite operator where SQL has one.
  ///
  ///     !Team.players.isEmpty
  ///     // COUNT(DISTINCT "player"."id") > 0
  @_disfavoredOverload
  public static prefix func ! (condition: Self) -> Self { Self(!condition.expression) }
}

/// The `IFNULL` function: the value of an aggregate, or another value where it is NULL. The name of
/// the aggregate remains.
///
///     Team.annotated(with: Team.players.max(Column("score")) ?? 0)
///     // SELECT "team".*, IFNULL(MAX("player"."score"), 0) AS "maxPlayerScore" FROM "team"
///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
public func ?? <RowDecoder>(
  left: AssociationAggregate<RowDecoder>,
  right: some SQLExpressible
) -> AssociationAggregate<RowDecoder> {
  AssociationAggregate(left.expression ?? right, key: left.key)
}

/// The `IFNULL` function: the value of an aggregate, or the value of another aggregate where it is
/// NULL. The name of the first aggregate remains.
///
///     Team.players.max(Column("score")) ?? Team.players.count
///     // IFNULL(MAX("player"."score"), COUNT(DISTINCT "player"."id"))
public func ?? <RowDecoder>(
  left: AssociationAggregate<RowDecoder>,
  right: AssociationAggregate<RowDecoder>
) -> AssociationAggregate<RowDecoder> {
  AssociationAggregate(left.expression ?? right.expression, key: left.key)
}

/// Returns the absolute value of an aggregate.
///
///     Team.annotated(with: abs(Team.players.min(Column("score"))))
///     // SELECT "team".*, ABS(MIN("player"."score")) FROM "team"
///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
public func abs<RowDecoder>(
  _ aggregate: AssociationAggregate<RowDecoder>
) -> AssociationAggregate<RowDecoder> {
  AssociationAggregate(abs(aggregate.expression))
}

/// Converts the value of an aggregate to a type. The name of the aggregate remains.
///
///     Team.annotated(with: cast(Team.players.count, as: .real))
///     // SELECT "team".*, CAST(COUNT(DISTINCT "player"."id") AS REAL) AS "playerCount" FROM "team"
///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
public func cast<RowDecoder>(
  _ aggregate: AssociationAggregate<RowDecoder>,
  as type: Database.ColumnType
) -> AssociationAggregate<RowDecoder> {
  AssociationAggregate(cast(aggregate.expression, as: type), key: aggregate.key)
}

/// Returns the number of characters of a text, or of bytes of a blob.
///
///     Team.annotated(with: length(Team.players.max(Column("name"))))
///     // SELECT "team".*, LENGTH(MAX("player"."name")) FROM "team"
///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
public func length<RowDecoder>(
  _ aggregate: AssociationAggregate<RowDecoder>
) -> AssociationAggregate<RowDecoder> {
  AssociationAggregate(length(aggregate.expression))
}

/// Rounds the value of an aggregate to the given number of digits after the decimal point; 0 by
/// default.
///
///     Team.annotated(with: round(Team.players.average(Column("score")), 1).forKey("average"))
///     // SELECT "team".*, ROUND(AVG("player"."score"), 1) AS "average" FROM "team"
///     // LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id"
public func round<RowDecoder>(
  _ aggregate: AssociationAggregate<RowDecoder>,
  _ digits: (any SQLExpressible)? = nil
) -> AssociationAggregate<RowDecoder> {
  AssociationAggregate(round(aggregate.expression, digits))
}

/// Whether an association leads to no row: `COUNT(DISTINCT "player"."id") = 0`.
struct AssociationEmptiness: NegatableExpression {
  let count: AssociationAggregateCall
  var isNegated = false

  var operands: [ExpressionNode] { [count.node] }

  func write(to context: inout SQLContext) throws {
    try count.write(to: &context)
    context.append(isNegated ? " > " : " = ")
    context.append(value: 0.databaseValue)
  }
}
