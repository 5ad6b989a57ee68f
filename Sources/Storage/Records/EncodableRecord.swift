public import FoundationEssentials

/// A type whose values can be stored in the columns of a row.
///
/// An `Encodable` type gets the implementation for free: each coding key names a column. Other
/// types implement `encode(to:)`.
public protocol EncodableRecord {
  /// Sets the columns and values to store.
  ///
  /// It may be called several times for one record and must set the same columns each time.
  func encode(to container: inout PersistenceContainer) throws

  /// The encoder's `userInfo` for an `Encodable` record.
  static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { get }

  /// How the coding keys of an `Encodable` record are converted to column names.
  static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy { get }

  /// Returns how a `Date` property of an `Encodable` record is stored in a column.
  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy

  /// Returns how a `Data` property of an `Encodable` record is stored in a column.
  static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy

  /// Returns how a `UUID` property of an `Encodable` record is stored in a column.
  static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy

  /// Returns the encoder for a property of an `Encodable` record that a column can hold only as
  /// JSON.
  static func databaseJSONEncoder(for column: String) -> JSONEncoder
}

extension EncodableRecord where Self: Encodable {
  /// Encodes each coding key into the column of that name. Properties that a column cannot hold,
  /// such as arrays, are stored as JSON text.
  ///
  /// - Throws: `EncodingError` when the type does not encode itself into a keyed container.
  public func encode(to container: inout PersistenceContainer) throws {
    let encoder = RecordEncoder.taken(from: container.plan, for: Self.self)
    let plan = container.plan
    encoder.target.begin(&container)
    defer {
      encoder.target.end(&container)
      plan?.encoder = encoder
    }
    try encode(to: encoder)
  }
}
