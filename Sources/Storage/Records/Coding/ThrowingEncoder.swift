/// Refuses to encode what a row cannot hold. `Encoder` has no place for an error where a container
/// is asked for, so the error comes with the first value.
struct RefusingEncoder: Encoder {
  var what = "a super encoder"
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedRefusal(what: what))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { Refusal(what: what) }
  func singleValueContainer() -> any SingleValueEncodingContainer { Refusal(what: what) }

  static func error(_ value: Any, _ what: String) -> any Error {
    EncodingError.invalidValue(
      value,
      EncodingError.Context(
        codingPath: [],
        debugDescription:
          "a record is encoded with coding keys, one for each column, not as \(what)"
      )
    )
  }
}

struct KeyedRefusal<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let what: String
  var codingPath: [any CodingKey] { [] }
  mutating func encodeNil(forKey key: Key) throws { throw RefusingEncoder.error(key, what) }
  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    throw RefusingEncoder.error(value, what)
  }
  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(KeyedRefusal<NestedKey>(what: what))
  }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    Refusal(what: what)
  }
  mutating func superEncoder() -> any Encoder { RefusingEncoder(what: what) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { RefusingEncoder(what: what) }
}

struct Refusal: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let what: String
  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }
  mutating func encodeNil() throws { throw RefusingEncoder.error(Int?.none as Any, what) }
  mutating func encode<Value: Encodable>(_ value: Value) throws {
    throw RefusingEncoder.error(value, what)
  }
  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(KeyedRefusal<NestedKey>(what: what))
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  mutating func superEncoder() -> any Encoder { RefusingEncoder(what: what) }
}
