/// Returns the day of a date: `2026-05-01`.
///
///     Player.select { date($0.createdAt, .startOfMonth) }
///     // SELECT DATE("createdAt", 'start of month') FROM "player"
public func date(_ value: some SQLExpressible, _ modifiers: SQLDateModifier...) -> SQLExpression {
  .date("DATE", value, modifiers)
}

/// Returns the time of day of a date: `12:30:00`.
///
///     Player.select { time($0.createdAt) }
///     // SELECT TIME("createdAt") FROM "player"
public func time(_ value: some SQLExpressible, _ modifiers: SQLDateModifier...) -> SQLExpression {
  .date("TIME", value, modifiers)
}

/// Returns a date with its time of day: `2026-05-01 12:30:00`.
///
///     Player.select { dateTime($0.createdAt, .day(1)) }
///     // SELECT DATETIME("createdAt", '1 days') FROM "player"
public func dateTime(
  _ value: some SQLExpressible,
  _ modifiers: SQLDateModifier...
) -> SQLExpression {
  .date("DATETIME", value, modifiers)
}

/// Returns the number of days since noon in Greenwich on November 24, 4714 B.C.
///
///     Player.select { julianDay($0.createdAt) }
///     // SELECT JULIANDAY("createdAt") FROM "player"
public func julianDay(
  _ value: some SQLExpressible,
  _ modifiers: SQLDateModifier...
) -> SQLExpression {
  .date("JULIANDAY", value, modifiers)
}

/// Formats a date.
///
///     Player.select { strftime("%Y", $0.createdAt) }
///     // SELECT STRFTIME('%Y', "createdAt") FROM "player"
public func strftime(
  _ format: String,
  _ value: some SQLExpressible,
  _ modifiers: SQLDateModifier...
) -> SQLExpression {
  .function("STRFTIME", [format, value] + modifiers.map(\.sql))
}

extension SQLExpression {
  fileprivate static func date(
    _ function: String,
    _ value: some SQLExpressible,
    _ modifiers: [SQLDateModifier]
  ) -> SQLExpression {
    .function(function, [value] + modifiers.map(\.sql))
  }
}
