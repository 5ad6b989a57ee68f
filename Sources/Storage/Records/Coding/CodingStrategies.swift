public import FoundationEssentials

/// How column names are converted to the coding keys of a `Decodable` record.
public enum DatabaseColumnDecodingStrategy: Sendable {
  /// The key has the name of the column, ignoring case.
  case useDefaultKeys
  /// The column `first_name` has the key `firstName`.
  case convertFromSnakeCase
  /// A function converts the name of the column to the key.
  case custom(@Sendable (String) -> any CodingKey)

  /// Returns the name of a column's key.
  func keyName(ofColumn column: String) -> String {
    switch self {
    case .useDefaultKeys: column
    case .convertFromSnakeCase: SnakeCase.camelCased(column)
    case .custom(let function): function(column).stringValue
    }
  }
}

/// How the coding keys of an `Encodable` record are converted to column names.
public enum DatabaseColumnEncodingStrategy: Sendable {
  /// The column has the name of the key.
  case useDefaultKeys
  /// The key `firstName` has the column `first_name`.
  case convertToSnakeCase
  /// A function converts the key to the name of the column. It is called once for each key of a
  /// type.
  case custom(@Sendable (any CodingKey) -> String)

  /// Returns the name of a key's column.
  func columnName(of key: any CodingKey) -> String {
    switch self {
    case .useDefaultKeys: key.stringValue
    case .convertToSnakeCase: SnakeCase.snakeCased(key.stringValue)
    case .custom(let function): function(key)
    }
  }
}

/// How the `Data` properties of a `Decodable` record are read.
public enum DatabaseDataDecodingStrategy: Sendable {
  /// The conversion of `Data`: reads a BLOB, or the UTF-8 bytes of a TEXT.
  case deferredToData
  /// A function converts the value, or returns `nil` when it does not fit.
  case custom(@Sendable (DatabaseValue) -> Data?)

  /// Converts a value to data, or returns `nil` when it does not fit.
  func data(from value: DatabaseValue) -> Data? {
    switch self {
    case .deferredToData: Data.fromDatabaseValue(value)
    case .custom(let function): function(value)
    }
  }
}

/// How the `Data` properties of an `Encodable` record are stored.
public enum DatabaseDataEncodingStrategy: Sendable {
  /// The conversion of `Data`: a BLOB.
  case deferredToData
  /// A TEXT. Data that is not valid UTF-8 is an error.
  case text
  /// The value that a function returns; NULL for `nil`.
  case custom(@Sendable (Data) -> (any DatabaseValueConvertible)?)

  /// Returns the value to store, or `nil` when the data should be text but is not valid UTF-8.
  func databaseValue(of data: Data) -> DatabaseValue? {
    switch self {
    case .deferredToData: data.databaseValue
    case .text: String(validating: data, as: UTF8.self)?.databaseValue
    case .custom(let function): function(data)?.databaseValue ?? .null
    }
  }
}

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
      // SQLite's date texts include the texts of ISO 8601.
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

/// How the `UUID` properties of an `Encodable` record are stored.
public enum DatabaseUUIDEncodingStrategy: Sendable {
  /// The conversion of `UUID`: a BLOB of sixteen bytes.
  case deferredToUUID
  /// A TEXT such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
  case uppercaseString
  /// A TEXT such as `e621e1f8-c36c-495a-93fc-0c247a3e6e5f`.
  case lowercaseString

  /// Returns the value to store.
  func databaseValue(of uuid: UUID) -> DatabaseValue {
    switch self {
    case .deferredToUUID: uuid.databaseValue
    case .uppercaseString: uuid.uuidString.databaseValue
    case .lowercaseString: uuid.uuidString.lowercased().databaseValue
    }
  }
}
