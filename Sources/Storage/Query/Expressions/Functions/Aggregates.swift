/// Returns the number of values that are not NULL.
///
///     Player.select { count($0.email) }
///     // SELECT COUNT("email") FROM "player"
public func count(
  _ counted: some SQLSpecificExpressible,
  filter: (any SQLCondition)? = nil
) -> SQLExpression {
  .aggregate("COUNT", counted, filter: filter)
}

/// Returns the number of distinct values that are not NULL.
///
///     Player.select { count(distinct: $0.name) }
///     // SELECT COUNT(DISTINCT "name") FROM "player"
public func count(distinct counted: some SQLSpecificExpressible) -> SQLExpression {
  .aggregate("COUNT", counted, isDistinct: true, filter: nil)
}

/// Returns the number of rows.
///
///     Player.select { [$0.teamID, count(.allColumns)] }.group(\.teamID)
///     // SELECT "teamID", COUNT(*) FROM "player" GROUP BY "teamID"
public func count(_ all: AllColumns) -> SQLExpression { .countAll }

extension SQLExpression {
  /// The number of rows.
  ///
  ///     Player.select { [$0.teamID, SQLExpression.countAll] }.group(\.teamID)
  ///     // SELECT "teamID", COUNT(*) FROM "player" GROUP BY "teamID"
  public static let countAll = SQLExpression(
    FunctionCall(name: "COUNT", arguments: [SQL("*").node], isAggregateFunction: true)
  )

  /// Returns the call of a function that computes one value from many rows.
  static func aggregate(
    _ name: String,
    _ arguments: any SQLExpressible...,
    isDistinct: Bool = false,
    filter: (any SQLCondition)?
  ) -> SQLExpression {
    SQLExpression(
      FunctionCall(
        name: name,
        arguments: arguments.map(\.node),
        isDistinct: isDistinct,
        isAggregateFunction: true,
        filter: filter?.node
      )
    )
  }
}

/// Returns the average of the values that are not NULL, or NULL if there is none.
///
///     Player.select { average($0.score) }
///     // SELECT AVG("score") FROM "player"
public func average(
  _ value: some SQLSpecificExpressible,
  filter: (any SQLCondition)? = nil
) -> SQLExpression {
  .aggregate("AVG", value, filter: filter)
}

/// Returns the smallest value, or NULL if there is none.
///
///     Player.select { min($0.score) }
///     // SELECT MIN("score") FROM "player"
public func min(
  _ value: some SQLSpecificExpressible,
  filter: (any SQLCondition)? = nil
) -> SQLExpression {
  .aggregate("MIN", value, filter: filter)
}

/// Returns the largest value, or NULL if there is none.
///
///     Player.select { max($0.score) }
///     // SELECT MAX("score") FROM "player"
public func max(
  _ value: some SQLSpecificExpressible,
  filter: (any SQLCondition)? = nil
) -> SQLExpression {
  .aggregate("MAX", value, filter: filter)
}

/// Returns the sum of the values, or NULL if there is none. ``total(_:filter:)->SQLExpression``
/// always returns a number.
///
///     Player.select { sum($0.score, filter: $0.isActive) }
///     // SELECT SUM("score") FILTER (WHERE "isActive") FROM "player"
public func sum(
  _ value: some SQLSpecificExpressible,
  filter: (any SQLCondition)? = nil
) -> SQLExpression {
  .aggregate("SUM", value, filter: filter)
}

/// Returns the sum of the values as a floating point number, or 0.0 if there is none.
///
///     Player.select { total($0.score) }
///     // SELECT TOTAL("score") FROM "player"
public func total(
  _ value: some SQLSpecificExpressible,
  filter: (any SQLCondition)? = nil
) -> SQLExpression {
  .aggregate("TOTAL", value, filter: filter)
}

/// Concatenates all values that are not NULL, with a separator between them.
///
///     Player.select { groupConcat($0.name, separator: "; ") }
///     // SELECT GROUP_CONCAT("name", '; ') FROM "player"
public func groupConcat(
  _ value: some SQLFunctionArgument,
  separator: some SQLExpressible = ",",
  filter: (any SQLCondition)? = nil
) -> SQLExpression {
  .aggregate("GROUP_CONCAT", value, separator, filter: filter)
}
