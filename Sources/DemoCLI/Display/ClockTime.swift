internal import Glibc

/// The time of day in the user's time zone.
enum ClockTime {
  /// Returns the current time, such as `14:03:22`.
  static func now() -> String {
    var seconds = time(nil)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }
      .joined(separator: ":")
  }
}
