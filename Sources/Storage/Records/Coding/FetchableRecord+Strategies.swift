public import Foundation

// What a `Decodable` record can say of how its columns are read. A type that has an `init(row:)` of its own is
// not asked.

extension FetchableRecord {
  /// No values.
  public static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { [:] }

  /// The names of columns are those of coding keys.
  public static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
    .useDefaultKeys
  }

  /// Returns `.deferredToDate`: the property is read as other values of `Date` are.
  public static func databaseDateDecodingStrategy(
    for column: String
  ) -> DatabaseDateDecodingStrategy { .deferredToDate }

  /// Returns `.deferredToData`: the property is read as other values of `Data` are.
  public static func databaseDataDecodingStrategy(
    for column: String
  ) -> DatabaseDataDecodingStrategy { .deferredToData }

  /// Makes a decoder of base64 data, and of dates as milliseconds since 1970.
  public static func databaseJSONDecoder(for column: String) -> JSONDecoder {
    ColumnJSON.decoder()
  }
}
