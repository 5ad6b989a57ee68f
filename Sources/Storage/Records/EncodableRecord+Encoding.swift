public import Foundation

// What an `Encodable` record can say of how its columns are stored. A type that has an `encode(to:)` of its own is
// not asked.

extension EncodableRecord {
  /// No values.
  public static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { [:] }

  /// The names of columns are those of coding keys.
  public static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
    .useDefaultKeys
  }

  /// As `Date` is stored.
  public static func databaseDateEncodingStrategy(
    for column: String
  ) -> DatabaseDateEncodingStrategy { .deferredToDate }

  /// As `Data` is stored.
  public static func databaseDataEncodingStrategy(
    for column: String
  ) -> DatabaseDataEncodingStrategy { .deferredToData }

  /// As `UUID` is stored.
  public static func databaseUUIDEncodingStrategy(
    for column: String
  ) -> DatabaseUUIDEncodingStrategy { .deferredToUUID }

  /// An encoder of base64 data, of dates as milliseconds since 1970, and of sorted keys.
  public static func databaseJSONEncoder(for column: String) -> JSONEncoder {
    ColumnJSON.encoder()
  }
}
