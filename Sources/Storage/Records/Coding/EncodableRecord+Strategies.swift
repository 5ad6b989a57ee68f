public import FoundationEssentials

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
