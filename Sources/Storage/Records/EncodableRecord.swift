internal import Foundation

/// A type whose values can be stored in the columns of a row.
///
/// An `Encodable` type gets its implementation from that conformance: each coding key names a
/// column. Others write `encode(to:)` themselves.
public protocol EncodableRecord {
  /// Sets the columns and values to store.
  ///
  /// It may be called several times for one record, and must set the same columns each time.
  func encode(to container: inout PersistenceContainer) throws
}

extension EncodableRecord where Self: Encodable {
  /// Encodes each coding key into the column of that name. Properties that a column cannot hold,
  /// such as arrays, are stored as JSON text.
  ///
  /// - Throws: `EncodingError` when the type is no keyed container.
  public func encode(to container: inout PersistenceContainer) throws {
    let encoder = RecordEncoder(container: container)
    try encode(to: encoder)
    container = encoder.target.container
  }
}

/// Encodes a record, a coding key a column.
private struct RecordEncoder: Encoder {
  /// Where the columns go: shared by the containers of one record.
  final class Target {
    var container: PersistenceContainer

    init(container: PersistenceContainer) {
      self.container = container
    }
  }

  let target: Target
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(container: PersistenceContainer) {
    target = Target(container: container)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Columns(target: target))
  }

  // `Encoder` leaves no place for an error here: it comes with the first value.
  func unkeyedContainer() -> any UnkeyedEncodingContainer { Refusal(what: "an array") }
  func singleValueContainer() -> any SingleValueEncodingContainer {
    Refusal(what: "a single value")
  }

  private struct Columns<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let target: Target
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) throws {
      target.container[key.stringValue] = DatabaseValue.null
    }
    mutating func encode(_ value: Bool, forKey key: Key) throws {
      target.container[key.stringValue] = value
    }
    mutating func encode(_ value: Int, forKey key: Key) throws {
      target.container[key.stringValue] = value
    }
    mutating func encode(_ value: Int64, forKey key: Key) throws {
      target.container[key.stringValue] = value
    }
    mutating func encode(_ value: Double, forKey key: Key) throws {
      target.container[key.stringValue] = value
    }
    mutating func encode(_ value: String, forKey key: Key) throws {
      target.container[key.stringValue] = value
    }
    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      target.container[key.stringValue] = try databaseValue(of: value, codingPath: [key])
    }

    // A missing value is NULL, so that every record of a type has the same columns.
    mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
      target.container[key.stringValue] = value
    }
    mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
      target.container[key.stringValue] = value
    }
    mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
      target.container[key.stringValue] = value
    }
    mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
      target.container[key.stringValue] = value
    }
    mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws {
      target.container[key.stringValue] = value
    }
    mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
      guard let value else { return try encodeNil(forKey: key) }
      try encode(value, forKey: key)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type,
      forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
      KeyedEncodingContainer(KeyedRefusal(what: "a nested container"))
    }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      Refusal(what: "a nested container")
    }
    mutating func superEncoder() -> any Encoder { RefusingEncoder() }
    mutating func superEncoder(forKey key: Key) -> any Encoder { RefusingEncoder() }
  }
}

/// What a column holds for a property: the value of a type that converts to one, the raw value of an
/// enum, or JSON.
private func databaseValue(
  of value: some Encodable,
  codingPath: [any CodingKey]
) throws -> DatabaseValue {
  if let convertible = value as? any DatabaseValueConvertible { return convertible.databaseValue }
  let column = ColumnEncoder(encodedType: type(of: value), codingPath: codingPath)
  try value.encode(to: column)
  if let value = column.result.value { return value }
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  return String(decoding: try encoder.encode(value), as: UTF8.self).databaseValue
}
