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

  /// Returns `.deferredToDate`: the property is stored as other values of `Date` are.
  public static func databaseDateEncodingStrategy(
    for column: String
  ) -> DatabaseDateEncodingStrategy { .deferredToDate }

  /// Returns `.deferredToData`: the property is stored as other values of `Data` are.
  public static func databaseDataEncodingStrategy(
    for column: String
  ) -> DatabaseDataEncodingStrategy { .deferredToData }

  /// Returns `.deferredToUUID`: the property is stored as other values of `UUID` are.
  public static func databaseUUIDEncodingStrategy(
    for column: String
  ) -> DatabaseUUIDEncodingStrategy { .deferredToUUID }

  /// Makes an encoder of base64 data, of dates as milliseconds since 1970, and of sorted keys.
  public static func databaseJSONEncoder(for column: String) -> JSONEncoder {
    ColumnJSON.encoder()
  }
}
