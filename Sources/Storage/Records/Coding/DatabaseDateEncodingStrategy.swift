#if !WELLSPRING_WITHOUT_ICU
  public import Foundation
#else
  public import FoundationEssentials
#endif

/// How the `Date` properties of an `Encodable` record are stored.
///
/// A date that a strategy cannot store throws ``DatabaseError`` with `SQLITE_MISMATCH`, whose
/// message names the column: texts are for the years 0 to 9999, integers for finite dates, and no
/// strategy stores a date that is not a number.
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
  #if !WELLSPRING_WITHOUT_ICU
    /// A TEXT that a formatter writes. The date must lie in the years 1 to 9999.
    case formatted(DateFormatter)
  #endif
  /// The value that a function returns; NULL for `nil`.
  case custom(@Sendable (Date) -> (any DatabaseValueConvertible)?)

  /// Returns the value to store.
  func databaseValue(of date: Date) -> DatabaseValue {
    switch self {
    case .deferredToDate: date.databaseValue
    case .timeIntervalSinceReferenceDate: number(date.timeIntervalSinceReferenceDate)
    case .timeIntervalSince1970: number(date.timeIntervalSince1970)
    case .secondsSince1970: roundedDown(date.timeIntervalSince1970)
    case .millisecondsSince1970: roundedDown(date.timeIntervalSince1970 * 1000)
    case .iso8601: iso8601(date)
    #if !WELLSPRING_WITHOUT_ICU
      case .formatted(let formatter): formatted(date, formatter)
    #endif
    case .custom(let function): function(date)?.databaseValue ?? .null
    }
  }

  private func number(_ number: Double) -> DatabaseValue {
    // NaN would become NULL.
    number.isNaN ? UnstorableValue.date(.nan).databaseValue : number.databaseValue
  }

  #if !WELLSPRING_WITHOUT_ICU
    /// Formatters write years before 1 without the era, so they would be read as other years. They
    /// may stop the program for dates that are not finite.
    private func formatted(_ date: Date, _ formatter: DateFormatter) -> DatabaseValue {
      guard DateText.format(date) != nil, date.timeIntervalSince1970 >= -62_135_596_800 else {
        return UnstorableValue.date(Float(date.timeIntervalSince1970)).databaseValue
      }
      return formatter.string(from: date).databaseValue
    }
  #endif

  /// Returns an INTEGER, or a REAL when the number is too large for an INTEGER.
  private func roundedDown(_ number: Double) -> DatabaseValue {
    guard number.isFinite else { return UnstorableValue.infiniteDate.databaseValue }
    let number = number.rounded(.down)
    return Int64(exactly: number)?.databaseValue ?? number.databaseValue
  }

  private func iso8601(_ date: Date) -> DatabaseValue {
    let whole = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    guard let text = DateText.format(whole) else { return date.databaseValue }
    return "\(text.prefix(10))T\(text.dropFirst(11).prefix(8))Z".databaseValue
  }
}
