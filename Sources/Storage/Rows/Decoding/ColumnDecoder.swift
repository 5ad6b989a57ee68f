/// Decodes one column of a row, for types that decode themselves from a single value.
struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
  /// Thrown when the type requests a container, which a column can only hold as JSON.
  struct NeedsJSON: Error {}

  let row: CheckedReference<RowDecoding>
  let name: String
  /// The type that decodes itself with this decoder.
  let decodedType: Any.Type
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { row.withObject { $0.rules.userInfo } }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw NeedsJSON()
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NeedsJSON() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { row.withObject { $0.isNil(name) } }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // The strategies of the record type reach the dates and data of wrappers too.
    if let value = try row.withObject({ try $0.decodeByStrategy(type, name) }) { return value }
    if let convertible = type as? any DatabaseValueConvertible.Type {
      return try row.withObject {
        try $0.decode(convertible, at: $0.column(name, convertible)) as! Value
      }
    }
    // Decoding the type itself again would recurse forever.
    guard type != decodedType else {
      throw row.withObject { $0.unsupported(type, "it does not convert to a database value") }
    }
    return try Value(
      from: ColumnDecoder(row: row, name: name, decodedType: type, codingPath: codingPath)
    )
  }
}
