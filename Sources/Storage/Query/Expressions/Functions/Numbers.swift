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
