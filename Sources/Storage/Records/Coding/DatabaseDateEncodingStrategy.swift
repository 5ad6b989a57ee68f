public import Foundation

/// How the `Date` properties of an `Encodable` record are stored.
public enum DatabaseDateEncodingStrategy: Sendable {
  /// The conversion of `Date`: a TEXT `YYYY-MM-DD HH:MM:SS.SSS` in UTC.
  case deferredToDate
  /// A REAL: the seconds since 2001-01-01 UTC.
  case timeIntervalSinceReferenceDate
  /// A REAL: the seconds since 1970-01-01 UTC.
  case timeIntervalSince1970
  /// An INTEGER: the whole seconds since 1970-01-01 UTC, rounded down.
  case secondsSince1970
  /// An INTEGER: the whole milliseconds since 1970-01-01 UTC, rounded down.
  case millisecondsSince1970
  /// A TEXT in ISO 8601 format, such as `2025-04-30T12:34:56Z`, rounded down to the second.
  case iso8601
  /// A TEXT that a formatter writes.
  case formatted(DateFormatter)
  /// The value that a function returns; NULL for `nil`.
  case custom(@Sendable (Date) -> (any DatabaseValueConvertible)?)

  /// Returns the value to store.
  func databaseValue(of date: Date) -> DatabaseValue {
    switch self {
    case .deferredToDate: date.databaseValue
    case .timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.databaseValue
    case .timeIntervalSince1970: date.timeIntervalSince1970.databaseValue
    case .secondsSince1970: roundedDown(date.timeIntervalSince1970)
    case .millisecondsSince1970: roundedDown(date.timeIntervalSince1970 * 1000)
    case .iso8601: iso8601(date)
    case .formatted(let formatter): formatter.string(from: date).databaseValue
    case .custom(let function): function(date)?.databaseValue ?? .null
    }
  }

  /// Returns an INTEGER, or a REAL when the number is too large for an INTEGER.
  private func roundedDown(_ number: Double) -> DatabaseValue {
    let number = number.rounded(.down)
    return Int64(exactly: number)?.databaseValue ?? number.databaseValue
  }

  private func iso8601(_ date: Date) -> DatabaseValue {
    let whole = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    guard let text = DateText.format(whole) else { return date.databaseValue }
    return "\(text.prefix(10))T\(text.dropFirst(11).prefix(8))Z".databaseValue
  }
}
