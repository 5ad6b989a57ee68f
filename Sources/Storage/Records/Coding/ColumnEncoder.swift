/// Encodes a property that is a single value, such as an enum with a raw value. When the property
/// turns out to be a container, the result stays empty: the property needs JSON.
struct ColumnEncoder: Encoder, SingleValueEncodingContainer {
  final class Result {
    var value: DatabaseValue?
  }

  /// The type that encodes itself with this encoder.
  let encodedType: Any.Type
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] = [:]
  let result = Result()

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Discard())
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { DiscardUnkeyed() }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() throws { result.value = .null }
  func encode<Value: Encodable>(_ value: Value) throws {
    if let convertible = value as? any DatabaseValueConvertible {
      result.value = convertible.databaseValue
    } else if Value.self == encodedType {
      // A type that hands itself to the encoder leaves everything to it.
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: codingPath,
          debugDescription: "\(Value.self) converts to no value of a database"
        )
      )
    } else {
      let inner = ColumnEncoder(
        encodedType: Value.self,
        codingPath: codingPath,
        userInfo: userInfo
      )
      try value.encode(to: inner)
      result.value = inner.result.value
    }
  }

  /// Drops what is encoded into a container.
  private struct Discard<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }
    mutating func encodeNil(forKey key: Key) throws {}
    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {}
    mutating func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type,
      forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
      KeyedEncodingContainer(Discard<NestedKey>())
    }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      DiscardUnkeyed()
    }
    mutating func superEncoder() -> any Encoder {
      ColumnEncoder(encodedType: Never.self, codingPath: [])
    }
    mutating func superEncoder(forKey key: Key) -> any Encoder {
      ColumnEncoder(encodedType: Never.self, codingPath: [])
    }
  }

  private struct DiscardUnkeyed: UnkeyedEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count = 0
    mutating func encodeNil() throws { count += 1 }
    mutating func encode<Value: Encodable>(_ value: Value) throws { count += 1 }
    mutating func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
      KeyedEncodingContainer(Discard<NestedKey>())
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { DiscardUnkeyed() }
    mutating func superEncoder() -> any Encoder {
      ColumnEncoder(encodedType: Never.self, codingPath: [])
    }
  }
}
