public import FoundationEssentials

/// How a record type stores dates, data and UUIDs in one column.
struct ColumnEncodingStrategies {
  let recordType: any EncodableRecord.Type
  let column: String

  /// Returns the value to store for a date, data or a UUID, optional or not, and `nil` for the
  /// values of other types.
  func databaseValue<Value>(
    of value: Value,
    _ codingPath: [any CodingKey]
  ) throws -> DatabaseValue? {
    // Comparing types costs less than a cast, and most values have other types.
    if Value.self == Date.self || Value.self == Date?.self {
      guard let date = value as? Date else { return .null }
      return recordType.databaseDateEncodingStrategy(for: column).databaseValue(of: date)
    }
    if Value.self == Data.self || Value.self == Data?.self {
      guard let data = value as? Data else { return .null }
      let strategy = recordType.databaseDataEncodingStrategy(for: column)
      if let value = strategy.databaseValue(of: data) { return value }
      throw EncodingError.invalidValue(
        data,
        EncodingError.Context(
          codingPath: codingPath,
          debugDescription: "the data for column \(column) is not valid UTF-8"
        )
      )
    }
    if Value.self == UUID.self || Value.self == UUID?.self {
      guard let uuid = value as? UUID else { return .null }
      return recordType.databaseUUIDEncodingStrategy(for: column).databaseValue(of: uuid)
    }
    return nil
  }
}

// The default strategies for storing the columns of an `Encodable` record. A type that implements
// `encode(to:)` itself does not use them.

extension EncodableRecord {
  /// No values.
  public static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { [:] }

  /// `.useDefaultKeys`: columns have the names of the coding keys.
  public static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
    .useDefaultKeys
  }

  /// Returns `.deferredToDate`: the property is stored like any other `Date`.
  public static func databaseDateEncodingStrategy(
    for column: String
  ) -> DatabaseDateEncodingStrategy { .deferredToDate }

  /// Returns `.deferredToData`: the property is stored like any other `Data`.
  public static func databaseDataEncodingStrategy(
    for column: String
  ) -> DatabaseDataEncodingStrategy { .deferredToData }

  /// Returns `.deferredToUUID`: the property is stored like any other `UUID`.
  public static func databaseUUIDEncodingStrategy(
    for column: String
  ) -> DatabaseUUIDEncodingStrategy { .deferredToUUID }

  /// Returns an encoder with data as base64, dates as milliseconds since 1970, and sorted keys.
  public static func databaseJSONEncoder(for column: String) -> JSONEncoder {
    ColumnJSON.encoder()
  }
}

// The default strategies for reading the columns of a `Decodable` record. A type that implements
// `init(row:)` itself does not use them.

extension FetchableRecord {
  /// No values.
  public static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { [:] }

  /// `.useDefaultKeys`: columns have the names of the coding keys.
  public static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
    .useDefaultKeys
  }

  /// Returns `.deferredToDate`: the property is read like any other `Date`.
  public static func databaseDateDecodingStrategy(
    for column: String
  ) -> DatabaseDateDecodingStrategy { .deferredToDate }

  /// Returns `.deferredToData`: the property is read like any other `Data`.
  public static func databaseDataDecodingStrategy(
    for column: String
  ) -> DatabaseDataDecodingStrategy { .deferredToData }

  /// Returns a decoder with data as base64, and dates as milliseconds since 1970.
  public static func databaseJSONDecoder(for column: String) -> JSONDecoder {
    ColumnJSON.decoder()
  }
}
