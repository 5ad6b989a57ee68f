public import FoundationEssentials

/// A type that can be created from a row.
///
///     struct Item: Decodable, FetchableRecord {
///       var id: Int64
///       var name: String
///     }
///     let items = try Item.fetchAll(db, sql: "SELECT id, name FROM item")
///
/// A `Decodable` type gets the initializer for free: each coding key names a column. Other types
/// implement `init(row:)`.
///
/// A property of a nested `Codable` type is decoded from JSON in one column. Where no column has
/// its name, it is decoded from associated rows that the request includes: see ``Association``.
public protocol FetchableRecord: Fetchable {
  /// Creates a record from a row. The row is valid only during the call.
  ///
  /// An implementation may leave `borrowing` out: it saves counting a reference to the row.
  ///
  /// - Throws: An error when the row cannot be decoded.
  init(row: borrowing Row) throws

  /// The decoder's `userInfo` for a `Decodable` record.
  static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { get }

  /// How column names are converted to the coding keys of a `Decodable` record.
  static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy { get }

  /// Returns how a column is read into a `Date` property of a `Decodable` record.
  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy

  /// Returns how a column is read into a `Data` property of a `Decodable` record.
  static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy

  /// Returns the decoder for a column that holds a property of a `Decodable` record as JSON.
  static func databaseJSONDecoder(for column: String) -> JSONDecoder
}

extension FetchableRecord {
  /// Creates a record from a row.
  @inlinable
  public static func fetched(from row: Row) throws -> Self {
    try Self(row: row)
  }
}

extension FetchableRecord where Self: Decodable {
  /// Decodes a row: each coding key names a column, ignoring case. Properties that a column cannot
  /// hold, such as arrays, are decoded from JSON text.
  ///
  /// A key that names no column may name a scope, such as a table of a join. Its property is
  /// decoded from the columns of the scope. An optional property is `nil` when all columns of the
  /// scope are NULL. A key may also name all rows of an association, which are decoded into an
  /// array. A record that no key fills is decoded from the columns of the row itself.
  ///
  /// - Throws: ``RowDecodingError`` when a column is missing, or its value does not fit the
  ///   property.
  @inlinable
  public init(row: borrowing Row) throws {
    // Compiled for the record type, the usual path calls no generic function.
    if row.lastDecoderDecodes(Self.self) {
      self = try Self(from: row.lastDecoder)
      withExtendedLifetime(row) {}
    } else {
      self = try row.decodedRecord(Self.self)
    }
  }
}
