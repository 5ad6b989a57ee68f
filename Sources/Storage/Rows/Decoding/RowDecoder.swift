/// The decoder of a whole row.
struct RowDecoder: Decoder {
  let row: CheckedReference<RowDecoding>
  var codingPath: [any CodingKey] { row.withObject { $0.codingPath } }
  var userInfo: [CodingUserInfoKey: Any] { row.withObject { $0.rules.userInfo } }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    row.withObject { $0.container(keyedBy: type) }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw unsupported("a row has named columns and is not an unkeyed container")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleRecordDecoder(row: row, decodedType: nil)
  }

  private func unsupported(_ reason: String) -> RowDecodingError {
    row.withObject { $0.unsupported(Row.self, reason) }
  }
}

/// Decodes a row, for types that decode themselves from another type with coding keys.
private struct SingleRecordDecoder: Decoder, SingleValueDecodingContainer {
  let row: CheckedReference<RowDecoding>
  /// The type that decodes itself with this decoder.
  let decodedType: Any.Type?
  var codingPath: [any CodingKey] { row.withObject { $0.codingPath } }
  var userInfo: [CodingUserInfoKey: Any] { row.withObject { $0.rules.userInfo } }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    row.withObject { $0.container(keyedBy: type) }
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try RowDecoder(row: row).unkeyedContainer()
  }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { row.withObject { !$0.row.containsNonNullValue } }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // Decoding the type itself again would recurse forever.
    guard type != decodedType else {
      throw row.withObject { $0.unsupported(type, "a row has columns and is not a single value") }
    }
    // A record may decode itself in its own way. The way of this row would recurse.
    if let recordType = type as? any FetchableRecord.Type,
      row.withObject({ !$0.rules.decodes(recordType) })
    {
      return try row.withObject { try recordType.init(row: $0.row) as! Value }
    }
    return try Value(from: SingleRecordDecoder(row: row, decodedType: type))
  }
}

/// A row decoder for code outside this library. The decoder and its containers keep the row alive.
struct OwningRowDecoder: Decoder {
  let decoding: RowDecoding
  private var decoder: RowDecoder { RowDecoder(row: decoding.reference) }

  var codingPath: [any CodingKey] { decoding.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { decoding.rules.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(OwningRowContainer<Key>(decoding: decoding))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try decoder.unkeyedContainer()
  }
  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try decoder.singleValueContainer()
  }
}

/// A ``RowContainer`` that keeps its row's decoding alive.
///
/// Records are decoded without it: counting the reference for each value would take longer than
/// decoding the value.
private struct OwningRowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoding: RowDecoding
  private var container: RowContainer<Key> { RowContainer(row: decoding.reference, columns: nil) }

  var codingPath: [any CodingKey] { decoding.codingPath }
  var allKeys: [Key] { container.allKeys }

  func contains(_ key: Key) -> Bool { container.contains(key) }
  func decodeNil(forKey key: Key) throws -> Bool { try container.decodeNil(forKey: key) }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try container.decode(type, forKey: key)
  }
  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try container.decodeIfPresent(type, forKey: key)
  }
  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try container.nestedContainer(keyedBy: type, forKey: key)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try container.nestedUnkeyedContainer(forKey: key)
  }
  func superDecoder() throws -> any Decoder { try container.superDecoder() }
  func superDecoder(forKey key: Key) throws -> any Decoder {
    try container.superDecoder(forKey: key)
  }
}

/// Decodes rows into `Decodable` types: each coding key names a column.
///
///     let item = try FetchableRecordDecoder().decode(Item.self, from: row)
///
/// `init(row:)` of a `Decodable` record uses it. A type that is not a ``FetchableRecord`` is
/// decoded with the default strategies.
public struct FetchableRecordDecoder {
  private let userInfo: [CodingUserInfoKey: Any]

  /// Creates a decoder.
  ///
  /// - Parameter userInfo: Values for the decoder's `userInfo`. They override the values of
  ///   ``FetchableRecord/databaseDecodingUserInfo``.
  public init(userInfo: [CodingUserInfoKey: Any] = [:]) {
    self.userInfo = userInfo
  }

  /// Decodes a row.
  ///
  /// - Throws: ``RowDecodingError`` when a column is missing, or its value does not fit the type.
  public func decode<Value: Decodable>(_ type: Value.Type, from row: Row) throws -> Value {
    let recordType = type as? any FetchableRecord.Type
    guard userInfo.isEmpty else {
      let decoding = RowDecoding(row: row, recordType: recordType, userInfo: userInfo)
      return try decoding.decode(type)
    }
    return try row.decoded(as: type, recordType)
  }
}

extension Row {
  /// Returns a decoder of this row, for code that chooses the type to decode by the content of the
  /// row:
  ///
  ///     func shape(of row: Row) throws -> any Shape {
  ///       let decoder = row.decoder()
  ///       let container = try decoder.container(keyedBy: Key.self)
  ///       switch try container.decode(Kind.self, forKey: .kind) {
  ///       case .circle: return try Circle(from: decoder)
  ///       case .square: return try Square(from: decoder)
  ///       }
  ///     }
  ///
  /// The decoder of a live row decodes the current row of the cursor, and must be used inside the
  /// access.
  ///
  /// - Parameter userInfo: The decoder's `userInfo`.
  /// - Returns: A decoder that provides a keyed container, and throws ``RowDecodingError`` for
  ///   other containers.
  public func decoder(userInfo: [CodingUserInfoKey: Any] = [:]) -> any Decoder {
    OwningRowDecoder(decoding: RowDecoding(row: self, recordType: nil, userInfo: userInfo))
  }
}
