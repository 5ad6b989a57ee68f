#if !WELLSPRING_WITHOUT_ICU
  public import Foundation
#else
  public import FoundationEssentials
#endif

/// How the `Date` properties of a `Decodable` record are read.
public enum DatabaseDateDecodingStrategy: Sendable {
  /// The conversion of `Date`: reads SQLite's date texts, and numbers as seconds since 1970.
  case deferredToDate
  /// Numbers as seconds since 2001-01-01 UTC.
  case timeIntervalSinceReferenceDate
  /// Numbers as seconds since 1970-01-01 UTC.
  case timeIntervalSince1970
  /// Numbers as milliseconds since 1970-01-01 UTC.
  case millisecondsSince1970
  /// Texts in ISO 8601 format, such as `2025-04-30T12:34:56Z`.
  case iso8601
  #if !WELLSPRING_WITHOUT_ICU
    /// Texts that a formatter reads.
    case formatted(DateFormatter)
  #endif
  /// A function converts the value, or returns `nil` when it does not fit.
  case custom(@Sendable (DatabaseValue) -> Date?)

  /// Converts a value to a date, or returns `nil` when it does not fit.
  func date(from value: DatabaseValue) -> Date? {
    switch self {
    case .deferredToDate:
      Date.fromDatabaseValue(value)
    case .timeIntervalSinceReferenceDate:
      Double.fromDatabaseValue(value).map(Date.init(timeIntervalSinceReferenceDate:))
    case .timeIntervalSince1970:
      Double.fromDatabaseValue(value).map(Date.init(timeIntervalSince1970:))
    case .millisecondsSince1970:
      Double.fromDatabaseValue(value).map { Date(timeIntervalSince1970: $0 / 1000) }
    case .iso8601:
      // SQLite's date texts include those of ISO 8601.
      if case .string = value.storage { Date.fromDatabaseValue(value) } else { nil }
    #if !WELLSPRING_WITHOUT_ICU
      case .formatted(let formatter):
        String.fromDatabaseValue(value).flatMap(formatter.date(from:))
    #endif
    case .custom(let function):
      function(value)
    }
  }
}
