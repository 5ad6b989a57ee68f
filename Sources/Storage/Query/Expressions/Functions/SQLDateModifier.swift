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
