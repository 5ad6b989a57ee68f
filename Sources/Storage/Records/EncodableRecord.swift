public import Foundation

/// A type whose values can be stored in the columns of a row.
///
/// An `Encodable` type gets its implementation from that conformance: each coding key names a
/// column. Others write `encode(to:)` themselves.
public protocol EncodableRecord {
  /// Sets the columns and values to store.
  ///
  /// It may be called several times for one record, and must set the same columns each time.
  func encode(to container: inout PersistenceContainer) throws

  /// What the `encode(to:)` of an `Encodable` record sees as the encoder's `userInfo`.
  static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { get }

  /// Which columns the coding keys of an `Encodable` record are for.
  static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy { get }

  /// How a `Date` property of an `Encodable` record is stored.
  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy

  /// How a `Data` property of an `Encodable` record is stored.
  static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy

  /// How a `UUID` property of an `Encodable` record is stored.
  static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy

  /// The encoder of a property of an `Encodable` record that a column can hold as JSON only.
  static func databaseJSONEncoder(for column: String) -> JSONEncoder
}

extension EncodableRecord where Self: Encodable {
  /// Encodes each coding key into the column of that name. Properties that a column cannot hold,
  /// such as arrays, are stored as JSON text.
  ///
  /// - Throws: `EncodingError` when the type is no keyed container.
  public func encode(to container: inout PersistenceContainer) throws {
    let encoder = RecordEncoder(container: container, recordType: Self.self)
    try encode(to: encoder)
    container = encoder.target.container
    encoder.target.columnNames?.keep()
  }
}

/// Encodes a record, a coding key a column.
private struct RecordEncoder: Encoder {
  /// Where the columns go: shared by the containers of one record.
  final class Target {
    // Only the access that inserts the record touches it.
    @exclusivity(unchecked) var container: PersistenceContainer

    let recordType: any EncodableRecord.Type
    /// `nil` when columns have the names of keys.
    @exclusivity(unchecked) var columnNames: ConvertedColumnNames?

    init(container: PersistenceContainer, recordType: any EncodableRecord.Type) {
      self.container = container
      self.recordType = recordType
      columnNames = ConvertedColumnNames(recordType)
    }

    /// What the record and its properties see.
    var userInfo: [CodingUserInfoKey: Any] {
      recordType.databaseEncodingUserInfo.merging(container.reading.userInfo) { $1 }
    }

    /// The column of a key.
    @inline(__always)
    func column(_ key: some CodingKey) -> String {
      columnNames == nil ? key.stringValue : columnNames!.column(of: key)
    }
  }

  let target: Target
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { target.userInfo }

  init(container: PersistenceContainer, recordType: any EncodableRecord.Type) {
    target = Target(container: container, recordType: recordType)
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
      target.container[target.column(key)] = DatabaseValue.null
    }
    mutating func encode(_ value: Bool, forKey key: Key) throws {
      target.container[target.column(key)] = value
    }
    mutating func encode(_ value: Int, forKey key: Key) throws {
      target.container[target.column(key)] = value
    }
    mutating func encode(_ value: Int64, forKey key: Key) throws {
      target.container[target.column(key)] = value
    }
    mutating func encode(_ value: Double, forKey key: Key) throws {
      target.container[target.column(key)] = value
    }
    mutating func encode(_ value: String, forKey key: Key) throws {
      target.container[target.column(key)] = value
    }
    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      try target.encode(value, key)
    }

    // A missing value is NULL, so that every record of a type has the same columns.
    mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
      target.container[target.column(key)] = value
    }
    mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
      target.container[target.column(key)] = value
    }
    mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
      target.container[target.column(key)] = value
    }
    mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
      target.container[target.column(key)] = value
    }
    mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws {
      target.container[target.column(key)] = value
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

extension RecordEncoder.Target {
  /// Sets the column of a property that is no number and no text.
  func encode<Value: Encodable>(_ value: Value, _ key: some CodingKey) throws {
    let column = column(key)
    // Looking for conformances takes longer than binding, and dates are frequent.
    if Value.self == Date.self {
      let date = unsafeBitCast(value, to: Date.self)
      let strategy = recordType.databaseDateEncodingStrategy(for: column)
      if case .deferredToDate = strategy {
        container[column] = date
      } else {
        container[column] = strategy.databaseValue(of: date)
      }
    } else if Value.self == Data.self, let data = value as? Data {
      let strategy = recordType.databaseDataEncodingStrategy(for: column)
      guard let value = strategy.databaseValue(of: data) else {
        throw EncodingError.invalidValue(
          data,
          EncodingError.Context(
            codingPath: [key],
            debugDescription: "the data for column \(column) are not valid UTF-8"
          )
        )
      }
      container[column] = value
    } else if Value.self == UUID.self, let uuid = value as? UUID {
      container[column] = recordType.databaseUUIDEncodingStrategy(for: column)
        .databaseValue(of: uuid)
    } else {
      container[column] = try databaseValue(of: value, key, column)
    }
  }

  /// What a column holds for a property: the value of a type that converts to one, the raw value of an
  /// enum, or JSON.
  private func databaseValue(
    of value: some Encodable,
    _ key: some CodingKey,
    _ column: String
  ) throws -> DatabaseValue {
    if let convertible = value as? any DatabaseValueConvertible { return convertible.databaseValue }
    let userInfo = userInfo
    let encoder = ColumnEncoder(
      encodedType: type(of: value),
      codingPath: [key],
      userInfo: userInfo
    )
    try value.encode(to: encoder)
    if let value = encoder.result.value { return value }
    let jsonEncoder = recordType.databaseJSONEncoder(for: column)
    jsonEncoder.userInfo.merge(ColumnJSON.userInfo(userInfo)) { own, _ in own }
    return try ColumnJSON.text(of: value, encoder: jsonEncoder)
  }
}
