/// The keyed container of a row: each coding key names a column.
///
/// The methods run for each decoded value, so they are written out for each type: the default
/// implementations of the protocol would look up a witness table at each call.
struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: CheckedReference<RowDecoding>

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.withObject { $0.keyNames.compactMap(Key.init(stringValue:)) } }

  func contains(_ key: Key) -> Bool {
    row.withObject { $0.hasValue(key.stringValue) }
  }
  func decodeNil(forKey key: Key) throws -> Bool { row.withObject { $0.isNil(key.stringValue) } }

  // One method for each common type of the standard library avoids the detour through `Decodable`.
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try row.withObject { try $0.decode(type, key.stringValue) }
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try row.withObject { try $0.decode(type, key.stringValue) }
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try row.withObject { try $0.decode(type, key.stringValue) }
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try row.withObject { try $0.decode(type, key.stringValue) }
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try row.withObject { try $0.decode(type, key.stringValue) }
  }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try row.withObject { try $0.decodeAny(type, key) }
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try row.withObject { try $0.decodeIfPresent(type, key.stringValue) }
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try row.withObject { try $0.decodeIfPresent(type, key.stringValue) }
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try row.withObject { try $0.decodeIfPresent(type, key.stringValue) }
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try row.withObject { try $0.decodeIfPresent(type, key.stringValue) }
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try row.withObject { try $0.decodeIfPresent(type, key.stringValue) }
  }
  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try row.withObject { $0.isNil(key.stringValue) ? nil : try $0.decodeAny(type, key) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    throw unsupported(type, "column \(key.stringValue) has no nested container")
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw unsupported(Row.self, "column \(key.stringValue) has no nested container")
  }
  func superDecoder() throws -> any Decoder {
    throw unsupported(Row.self, "a row has no super decoder")
  }
  func superDecoder(forKey key: Key) throws -> any Decoder {
    throw unsupported(Row.self, "a row has no super decoder")
  }

  private func unsupported(_ type: Any.Type, _ reason: String) -> RowDecodingError {
    row.withObject { $0.unsupported(type, reason) }
  }
}
