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
