/// A modifier that changes a date before it is formatted: `+1 day`, `start of month`.
///
/// https://www.sqlite.org/lang_datefunc.html#modifiers
public struct SQLDateModifier: Hashable, Sendable {
  let sql: String

  private init(_ sql: String) {
    self.sql = sql
  }

  /// Adds days: `'1 days'`.
  public static func day(_ count: Int) -> Self { Self("\(count) days") }
  /// Adds hours: `'1 hours'`.
  public static func hour(_ count: Int) -> Self { Self("\(count) hours") }
  /// Adds minutes: `'1 minutes'`.
  public static func minute(_ count: Int) -> Self { Self("\(count) minutes") }
  /// Adds seconds: `'1.5 seconds'`.
  public static func second(_ count: Double) -> Self { Self("\(count) seconds") }
  /// Adds months: `'1 months'`.
  public static func month(_ count: Int) -> Self { Self("\(count) months") }
  /// Adds years: `'1 years'`.
  public static func year(_ count: Int) -> Self { Self("\(count) years") }
  /// Moves to midnight: `'start of day'`.
  public static let startOfDay = Self("start of day")
  /// Moves to the first day of the month: `'start of month'`.
  public static let startOfMonth = Self("start of month")
  /// Moves to the first day of the year: `'start of year'`.
  public static let startOfYear = Self("start of year")
  /// Moves to the next such day, unless the date is one already; Sunday is 0: `'weekday 1'`.
  public static func weekday(_ day: Int) -> Self { Self("weekday \(day)") }
  /// Reads a number as seconds since 1970: `'unixepoch'`.
  public static let unixEpoch = Self("unixepoch")
  /// Converts from UTC to local time: `'localtime'`.
  public static let localTime = Self("localtime")
  /// Converts from local time to UTC: `'utc'`.
  public static let utc = Self("utc")
}

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
