/// Encodes a property that is a single value, such as an enum with a raw value.
///
/// The result stays empty when the property requests a container: then it must be stored as JSON.
struct ColumnEncoder: Encoder, SingleValueEncodingContainer {
  final class Result {
    var value: DatabaseValue?
  }

  /// The type that encodes itself with this encoder.
  let encodedType: Any.Type
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] = [:]
  /// The strategies of the record type; `nil` outside of a record.
  var strategies: ColumnEncodingStrategies?
  let result = Result()

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(DiscardingContainer())
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { DiscardingUnkeyedContainer() }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() throws { result.value = .null }
  func encode<Value: Encodable>(_ value: Value) throws {
    if let value = try strategies?.databaseValue(of: value, codingPath) {
      result.value = value
    } else if let convertible = value as? any DatabaseValueConvertible {
      result.value = convertible.databaseValue
    } else if Value.self == encodedType {
      // Encoding the type itself again would recurse forever.
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: codingPath,
          debugDescription: "\(Value.self) does not convert to a database value"
        )
      )
    } else {
      let inner = ColumnEncoder(
        encodedType: Value.self,
        codingPath: codingPath,
        userInfo: userInfo,
        strategies: strategies
      )
      try value.encode(to: inner)
      result.value = inner.result.value
    }
  }

  /// Discards the values that are encoded into a container.
  private struct DiscardingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }
    mutating func encodeNil(forKey key: Key) throws {}
    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {}
    mutating func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type,
      forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
      KeyedEncodingContainer(DiscardingContainer<NestedKey>())
    }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      DiscardingUnkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder {
      ColumnEncoder(encodedType: Never.self, codingPath: [])
    }
    mutating func superEncoder(forKey key: Key) -> any Encoder {
      ColumnEncoder(encodedType: Never.self, codingPath: [])
    }
  }

  private struct DiscardingUnkeyedContainer: UnkeyedEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count = 0
    mutating func encodeNil() throws { count += 1 }
    mutating func encode<Value: Encodable>(_ value: Value) throws { count += 1 }
    mutating func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
      KeyedEncodingContainer(DiscardingContainer<NestedKey>())
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      DiscardingUnkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder {
      ColumnEncoder(encodedType: Never.self, codingPath: [])
    }
  }
}
