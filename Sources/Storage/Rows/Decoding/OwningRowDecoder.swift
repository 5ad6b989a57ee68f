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
