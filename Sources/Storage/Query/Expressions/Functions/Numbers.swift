/// Returns the absolute value.
///
///     Player.select { abs($0.score) }
///     // SELECT ABS("score") FROM "player"
public func abs(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .function("ABS", value)
}

/// Rounds a number to the given number of digits after the decimal point; 0 by default.
///
///     Player.select { round($0.height, 1) }
///     // SELECT ROUND("height", 1) FROM "player"
public func round(
  _ value: some SQLSpecificExpressible,
  _ digits: (any SQLExpressible)? = nil
) -> SQLExpression {
  guard let digits else { return .function("ROUND", value) }
  return .function("ROUND", value, digits)
}

extension SQLExpression {
  /// A random 64-bit integer, different for each row.
  ///
  ///     Player.order { _ in SQLExpression.random }
  ///     // SELECT * FROM "player" ORDER BY RANDOM()
  public static let random = function("RANDOM")
}

/// Returns the smallest of several values, or NULL if one of them is NULL.
///
///     Player.select { min($0.score, $0.bonus, 100) }
///     // SELECT MIN("score", "bonus", 100) FROM "player"
public func min(
  _ first: some SQLFunctionArgument,
  _ second: any SQLExpressible,
  _ others: any SQLExpressible...
) -> SQLExpression {
  .function("MIN", [first, second] + others)
}

/// Returns the largest of several values, or NULL if one of them is NULL.
///
///     Player.select { max($0.score, $0.bonus, 100) }
///     // SELECT MAX("score", "bonus", 100) FROM "player"
public func max(
  _ first: some SQLFunctionArgument,
  _ second: any SQLExpressible,
  _ others: any SQLExpressible...
) -> SQLExpression {
  .function("MAX", [first, second] + others)
}

/// The `IFNULL` function: the left value, or the right one where the left is NULL.
///
///     Player.select { $0.name ?? "Anonymous" }
///     // SELECT IFNULL("name", 'Anonymous') FROM "player"
public func ?? (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .function("IFNULL", left, right)
}

/// Returns the first value that is not NULL.
///
///     Player.select { coalesce($0.email, $0.name, "Anonymous") }
///     // SELECT COALESCE("email", "name", 'Anonymous') FROM "player"
public func coalesce(
  _ first: any SQLExpressible,
  _ second: any SQLExpressible,
  _ others: any SQLExpressible...
) -> SQLExpression {
  .function("COALESCE", [first, second] + others)
}

/// Returns the first value of a list that is not NULL.
///
///     Player.select { coalesce([$0.email, $0.name]) }
///     // SELECT COALESCE("email", "name") FROM "player"
///
/// A request that contains the function without values throws ``DatabaseError`` with
/// `SQLITE_MISUSE` when it is fetched.
public func coalesce(_ values: some Collection<any SQLExpressible>) -> SQLExpression {
  guard let first = values.first else {
    return SQLExpression(
      FailedExpression(message: "coalesce() needs a value: pass at least one")
    )
  }
  return values.count == 1 ? first.sqlExpression : .function("COALESCE", Array(values))
}

/// Returns NULL where both values are equal, and the first value elsewhere.
///
///     Player.select { nullif($0.name, "") }
///     // SELECT NULLIF("name", '') FROM "player"
public func nullif(
  _ value: some SQLFunctionArgument,
  _ other: some SQLExpressible
) -> SQLExpression {
  .function("NULLIF", value, other)
}
