public import FoundationEssentials

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
