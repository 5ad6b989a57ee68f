extension SQLExpression {
  /// Computes a function over the rows around each row.
  ///
  ///     Player.select { rowNumber().over(partitionBy: [$0.teamID], orderBy: [$0.score.desc]) }
  ///     // SELECT ROW_NUMBER() OVER (PARTITION BY "teamID" ORDER BY "score" DESC) FROM "player"
  ///
  /// - Parameters:
  ///   - partition: The expressions whose equal values form a partition; by default, all rows are
  ///     one partition.
  ///   - order: The order of the rows in a partition.
  ///   - frame: The rows of the partition that the function sees, as in
  ///     `"ROWS BETWEEN 1 PRECEDING AND CURRENT ROW"`.
  /// - Returns: The call of the window function. If this expression is not the call of a function,
  ///   the request that contains the result throws ``DatabaseError`` with `SQLITE_MISUSE` when it
  ///   is fetched.
  public func over(
    partitionBy partition: [any SQLExpressible] = [],
    orderBy order: [any SQLOrderingTerm] = [],
    frame: SQL? = nil
  ) -> SQLExpression {
    if let owned = node.part as? OwnedExpression {
      let call = SQLExpression(owned.expression).over(
        partitionBy: partition,
        orderBy: order,
        frame: frame
      )
      return SQLExpression(OwnedExpression(expression: call.node, table: owned.table))
    }
    guard var call = node.part as? FunctionCall else {
      return SQLExpression(
        FailedExpression(
          message: """
            only a function call can be computed over a window: call over() on a function, such as \
            sum(…) or rowNumber()
            """
        )
      )
    }
    call.window = WindowClause(
      partition: partition.map(\.node),
      order: OrderByClause(terms: order.map(\.sqlOrdering)),
      frame: frame
    )
    return SQLExpression(call)
  }
}

/// Returns the position of a row in its window, counted from 1.
///
///     Player.select { rowNumber().over(orderBy: [$0.score.desc]) }
///     // SELECT ROW_NUMBER() OVER (ORDER BY "score" DESC) FROM "player"
public func rowNumber() -> SQLExpression { .function("ROW_NUMBER") }

/// Returns the rank of a row in its window, with gaps after equal rows.
///
///     Player.select { rank().over(orderBy: [$0.score.desc]) }
///     // SELECT RANK() OVER (ORDER BY "score" DESC) FROM "player"
public func rank() -> SQLExpression { .function("RANK") }

/// Returns the rank of a row in its window, without gaps.
///
///     Player.select { denseRank().over(orderBy: [$0.score.desc]) }
///     // SELECT DENSE_RANK() OVER (ORDER BY "score" DESC) FROM "player"
public func denseRank() -> SQLExpression { .function("DENSE_RANK") }

/// Returns the relative rank of a row, from 0 to 1.
///
///     Player.select { percentRank().over(orderBy: [$0.score]) }
///     // SELECT PERCENT_RANK() OVER (ORDER BY "score") FROM "player"
public func percentRank() -> SQLExpression { .function("PERCENT_RANK") }

/// Returns the cumulative distribution: the share of the rows up to this one.
///
///     Player.select { cumeDist().over(orderBy: [$0.score]) }
///     // SELECT CUME_DIST() OVER (ORDER BY "score") FROM "player"
public func cumeDist() -> SQLExpression { .function("CUME_DIST") }

/// Divides the window into parts of equal size, and returns the number of the part of a row.
///
///     Player.select { ntile(4).over(orderBy: [$0.score]) }
///     // SELECT NTILE(4) OVER (ORDER BY "score") FROM "player"
public func ntile(_ count: Int) -> SQLExpression { .function("NTILE", count) }

/// Returns the value of a preceding row.
///
///     Player.select { lag($0.score, 1, default: 0).over(orderBy: [$0.id]) }
///     // SELECT LAG("score", 1, 0) OVER (ORDER BY "id") FROM "player"
public func lag(
  _ value: some SQLFunctionArgument,
  _ offset: Int = 1,
  default: (any SQLExpressible)? = nil
) -> SQLExpression {
  .function("LAG", [value, offset] + (`default`.map { [$0] } ?? []))
}

/// Returns the value of a following row.
///
///     Player.select { lead($0.score).over(orderBy: [$0.id]) }
///     // SELECT LEAD("score", 1) OVER (ORDER BY "id") FROM "player"
public func lead(
  _ value: some SQLFunctionArgument,
  _ offset: Int = 1,
  default: (any SQLExpressible)? = nil
) -> SQLExpression {
  .function("LEAD", [value, offset] + (`default`.map { [$0] } ?? []))
}

/// Returns the value of the first row of the window.
///
///     Player.select { firstValue($0.score).over(orderBy: [$0.id]) }
///     // SELECT FIRST_VALUE("score") OVER (ORDER BY "id") FROM "player"
public func firstValue(_ value: some SQLFunctionArgument) -> SQLExpression {
  .function("FIRST_VALUE", value)
}

/// Returns the value of the last row of the window. By default, the window ends at the current row.
///
///     Player.select { lastValue($0.score).over(orderBy: [$0.id]) }
///     // SELECT LAST_VALUE("score") OVER (ORDER BY "id") FROM "player"
public func lastValue(_ value: some SQLFunctionArgument) -> SQLExpression {
  .function("LAST_VALUE", value)
}
