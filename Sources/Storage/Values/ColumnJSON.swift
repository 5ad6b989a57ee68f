internal import FoundationEssentials

/// Reads and writes JSON in a column.
enum ColumnJSON {
  static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dataEncodingStrategy = .base64
    encoder.dateEncodingStrategy = .millisecondsSince1970
    encoder.nonConformingFloatEncodingStrategy = .throw
    // Sorted keys give equal values equal texts.
    encoder.outputFormatting = .sortedKeys
    return encoder
  }

  static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dataDecodingStrategy = .base64
    decoder.dateDecodingStrategy = .millisecondsSince1970
    decoder.nonConformingFloatDecodingStrategy = .throw
    return decoder
  }

  /// Returns the same values in the type that Foundation's coders require.
  ///
  /// The coders require `Sendable` values. The values do not cross threads here, because a coder is
  /// used only by the call that made it.
  static func userInfo(_ values: [CodingUserInfoKey: Any]) -> [CodingUserInfoKey: any Sendable] {
    // `Sendable` has no representation at run time, so a cast is impossible.
    unsafeBitCast(values, to: [CodingUserInfoKey: any Sendable].self)
  }

  static func text(of value: some Encodable, encoder: JSONEncoder) throws -> DatabaseValue {
    String(decoding: try encoder.encode(value), as: UTF8.self).databaseValue
  }

  /// - Returns: `nil` when the value is neither a TEXT nor a BLOB.
  static func decode<Value: Decodable>(
    _ type: Value.Type,
    from value: DatabaseValue,
    decoder: JSONDecoder
  ) throws -> Value? {
    try Data.fromDatabaseValue(value).map { try decoder.decode(type, from: $0) }
  }
}

/// Decodes a type that is encoded as a single value, such as an enum with a raw value, from a
/// database value.
struct SingleValueDecoder: Decoder, SingleValueDecodingContainer {
  /// Thrown when the type requests a container, which a column can only hold as JSON.
  struct NeedsJSON: Error {}

  let value: DatabaseValue
  /// The type that decodes itself with this decoder.
  let decodedType: Any.Type
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw NeedsJSON()
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NeedsJSON() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value.isNull }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // Decoding the type itself again would recurse forever.
    if type == decodedType { throw mismatch(type) }
    guard let convertible = type as? any DatabaseValueConvertible.Type else {
      return try Value(from: SingleValueDecoder(value: value, decodedType: type))
    }
    guard let decoded = convertible.fromDatabaseValue(value) else { throw mismatch(type) }
    return decoded as! Value
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    DecodingError.typeMismatch(
      type,
      DecodingError.Context(codingPath: codingPath, debugDescription: "\(value) is not a \(type)")
    )
  }
}
