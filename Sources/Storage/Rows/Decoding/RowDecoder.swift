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
    // A record may decode itself in its own way. That of this row would recurse.
    if let recordType = type as? any FetchableRecord.Type,
      row.withObject({ !$0.rules.decodes(recordType) })
    {
      return try row.withObject { try recordType.init(row: $0.row) as! Value }
    }
    return try Value(from: SingleRecordDecoder(row: row, decodedType: type))
  }
}
