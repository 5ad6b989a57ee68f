/// An encoder that throws for every value, because a row cannot hold it.
///
/// The methods of `Encoder` that return containers cannot throw, so the error comes with the first
/// value.
struct ThrowingEncoder: Encoder {
  var what = "a super encoder"
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(ThrowingKeyedContainer(what: what))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { ThrowingContainer(what: what) }
  func singleValueContainer() -> any SingleValueEncodingContainer { ThrowingContainer(what: what) }

  @inline(never)
  static func error(_ value: Any, _ what: String) -> any Error {
    EncodingError.invalidValue(
      value,
      EncodingError.Context(
        codingPath: [],
        debugDescription:
          "a record encodes one coding key for each column, but this one encodes \(what)"
      )
    )
  }
}

struct ThrowingKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let what: String
  var codingPath: [any CodingKey] { [] }
  mutating func encodeNil(forKey key: Key) throws { throw ThrowingEncoder.error(key, what) }
  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    throw ThrowingEncoder.error(value, what)
  }
  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(ThrowingKeyedContainer<NestedKey>(what: what))
  }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ThrowingContainer(what: what)
  }
  mutating func superEncoder() -> any Encoder { ThrowingEncoder(what: what) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { ThrowingEncoder(what: what) }
}

struct ThrowingContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let what: String
  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }
  mutating func encodeNil() throws { throw ThrowingEncoder.error(Int?.none as Any, what) }
  mutating func encode<Value: Encodable>(_ value: Value) throws {
    throw ThrowingEncoder.error(value, what)
  }
  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(ThrowingKeyedContainer<NestedKey>(what: what))
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  mutating func superEncoder() -> any Encoder { ThrowingEncoder(what: what) }
}
