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

  /// As `Date` reads them.
  public static func databaseDateDecodingStrategy(
    for column: String
  ) -> DatabaseDateDecodingStrategy { .deferredToDate }

  /// As `Data` reads them.
  public static func databaseDataDecodingStrategy(
    for column: String
  ) -> DatabaseDataDecodingStrategy { .deferredToData }

  /// A decoder of base64 data, and of dates as milliseconds since 1970.
  public static func databaseJSONDecoder(for column: String) -> JSONDecoder {
    ColumnJSON.decoder()
  }
}
