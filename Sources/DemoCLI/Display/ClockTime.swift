internal import Glibc

/// The time as text.
enum ClockTime {
  /// Returns the current time of day in the user's time zone, such as `14:03:22`.
  static func now() -> String {
    var seconds = time(nil)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return text([parts.tm_hour, parts.tm_min, parts.tm_sec], separator: ":")
  }

  /// Returns the current date and time in UTC, such as `2026-05-04T10:15:00Z`.
  static func utc() -> String {
    var seconds = time(nil)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let date = text([parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday], separator: "-")
    return date + "T" + text([parts.tm_hour, parts.tm_min, parts.tm_sec], separator: ":") + "Z"
  }

  private static func text(_ numbers: [Int32], separator: String) -> String {
    numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: separator)
  }
}
