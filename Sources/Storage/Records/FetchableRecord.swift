public import Foundation

/// A type that can be made of a row.
///
///     struct Item: Decodable, FetchableRecord {
///       var id: Int64
///       var name: String
///     }
///     let items = try Item.fetchAll(db, sql: "SELECT id, name FROM item")
///
/// A `Decodable` type gets its initializer from that conformance: each coding key names a column.
/// Others write it themselves.
///
/// A record is one row. Its properties are columns, also those that hold other types as JSON: Codable
/// does not follow relations to the rows of other tables.
public protocol FetchableRecord: Fetchable {
  /// Makes a record of a row. The row is valid during the call only.
  ///
  /// - Throws: An error when the row does not fit.
  init(row: Row) throws

  /// What the `init(from:)` of a `Decodable` record sees as the decoder's `userInfo`.
  static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { get }

  /// Which coding keys of a `Decodable` record the columns are for.
  static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy { get }

  /// How a column that is a `Date` property of a `Decodable` record is read.
  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy

  /// How a column that is a `Data` property of a `Decodable` record is read.
  static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy

  /// The decoder of a column that holds a property of a `Decodable` record as JSON.
  static func databaseJSONDecoder(for column: String) -> JSONDecoder
}

extension FetchableRecord {
  /// Makes a record of a row.
  @inlinable
  public static func fetched(from row: Row) throws -> Self {
    try Self(row: row)
  }
}

extension FetchableRecord where Self: Decodable {
  /// Decodes a row: each coding key names a column, in whatever case. Properties that a column
  /// cannot hold, such as arrays, are decoded from JSON text.
  ///
  /// A key that names no column may name a scope, such as a table of a join: its property is decoded from the columns
  /// of that table, and an optional one is `nil` when all of them are NULL.
  ///
  /// - Throws: ``RowDecodingError`` when a column is missing, or holds what does not fit.
  public init(row: Row) throws {
    self = try row.decoded(as: Self.self, Self.self)
  }
}
