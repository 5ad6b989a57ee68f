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
