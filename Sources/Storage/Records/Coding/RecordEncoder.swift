internal import FoundationEssentials

/// Encodes records. Each coding key names a column.
///
/// One object serves all records that an ``InsertionPlan`` inserts: it keeps its container from
/// record to record.
final class RecordEncoder: Encoder {
  /// The destination of the columns, shared by the containers of one record.
  final class Target {
    // Used only by the access that inserts the record.

    /// The container of the record that is encoded. Between records it takes values that a type
    /// encodes into a coding container that it has kept; they are ignored.
    @exclusivity(unchecked) var container = PersistenceContainer()

    let recordType: any EncodableRecord.Type
    /// `nil` when columns have the same names as their keys.
    @exclusivity(unchecked) var columnNames: ConvertedColumnNames?

    init(recordType: any EncodableRecord.Type) {
      self.recordType = recordType
      columnNames = ConvertedColumnNames(recordType)
    }

    /// Begins a record.
    func begin(_ container: inout PersistenceContainer) { swap(&container, &self.container) }

    /// Ends a record, whose columns it returns in `container`.
    func end(_ container: inout PersistenceContainer) {
      swap(&container, &self.container)
      columnNames?.save()
    }

    /// The `userInfo` for the record and its properties.
    var userInfo: [CodingUserInfoKey: Any] {
      recordType.databaseEncodingUserInfo.merging(container.context.userInfo) { $1 }
    }

    /// Returns the column of a key.
    @inline(__always)
    func column(_ key: some CodingKey) -> String {
      columnNames == nil ? key.stringValue : columnNames!.column(of: key)
    }
  }

  let target: Target
  private let recordType: ObjectIdentifier
  /// The container of the most recent key type; a ``ReusedValue``.
  @exclusivity(unchecked) private var knownContainer: AnyObject?
  @exclusivity(unchecked) private var knownKeyType: ObjectIdentifier?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { target.userInfo }

  private init(recordType: any EncodableRecord.Type, _ identifier: ObjectIdentifier) {
    target = Target(recordType: recordType)
    self.recordType = identifier
  }

  /// Takes the encoder of a plan, or makes one: for the first record, for a record inside of a
  /// record, and for a record that is not inserted.
  static func taken<Record: EncodableRecord>(
    from plan: InsertionPlan?,
    for recordType: Record.Type
  ) -> RecordEncoder {
    let identifier = ObjectIdentifier(recordType)
    if let plan, let encoder = plan.encoder, encoder.recordType == identifier {
      plan.encoder = nil
      return encoder
    }
    return RecordEncoder(recordType: recordType, identifier)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if knownKeyType == ObjectIdentifier(type), let knownContainer {
      return unsafeDowncast(knownContainer, to: ReusedValue<KeyedEncodingContainer<Key>>.self)
        .copy()
    }
    return makeContainer(keyedBy: type)
  }

  // Inlined, it would instantiate its types for each record.
  @inline(never)
  private func makeContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) -> KeyedEncodingContainer<Key> {
    let container = KeyedEncodingContainer(Columns<Key>(target: target))
    knownContainer = ReusedValue(container)
    knownKeyType = ObjectIdentifier(type)
    return container
  }

  // These methods of `Encoder` cannot throw, so the error comes with the first value.
  func unkeyedContainer() -> any UnkeyedEncodingContainer { ThrowingContainer(what: "an array") }
  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleRecord(target: target, encodedType: nil)
  }

  /// The container of a record that encodes itself as another type with coding keys.
  private struct SingleRecord: Encoder, SingleValueEncodingContainer {
    let target: Target
    /// The type that encodes itself with this encoder.
    let encodedType: Any.Type?
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { target.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      KeyedEncodingContainer(Columns(target: target))
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer { ThrowingContainer(what: "an array") }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws { throw ThrowingEncoder.error(Int?.none as Any, "a single value") }
    func encode<Value: Encodable>(_ value: Value) throws {
      // Encoding the type itself again would recurse forever.
      guard Value.self != encodedType else { throw ThrowingEncoder.error(value, "a single value") }
      // A record may encode itself in its own way. The way of this encoder would recurse.
      if let record = value as? any EncodableRecord,
        ObjectIdentifier(Value.self) != ObjectIdentifier(target.recordType)
      {
        return try record.encode(to: &target.container)
      }
      try value.encode(to: SingleRecord(target: target, encodedType: Value.self))
    }
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

    // A missing value is stored as NULL, so that all records of a type have the same columns. Each
    // type of number needs a function, because the default of the protocol leaves the column out.
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
    mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
      try encodeOrNull(value, key)
    }
    mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
      try encodeOrNull(value, key)
    }
    mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
      try encodeOrNull(value, key)
    }
    mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
      try encodeOrNull(value, key)
    }
    mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
      try encodeOrNull(value, key)
    }
    mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
      try encodeOrNull(value, key)
    }
    mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
      try encodeOrNull(value, key)
    }
    mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
      try encodeOrNull(value, key)
    }
    mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
      try encodeOrNull(value, key)
    }
    mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
      try encodeOrNull(value, key)
    }

    private mutating func encodeOrNull<Value: Encodable>(_ value: Value?, _ key: Key) throws {
      guard let value else { return try encodeNil(forKey: key) }
      try encode(value, forKey: key)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type,
      forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
      KeyedEncodingContainer(ThrowingKeyedContainer(what: "a nested container"))
    }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      ThrowingContainer(what: "a nested container")
    }
    mutating func superEncoder() -> any Encoder { ThrowingEncoder() }
    mutating func superEncoder(forKey key: Key) -> any Encoder { ThrowingEncoder() }
  }
}

extension RecordEncoder.Target {
  /// Sets the column of a property that is neither a number nor a text.
  func encode<Value: Encodable>(_ value: Value, _ key: some CodingKey) throws {
    let column = column(key)
    // Checking for a conformance takes longer than binding, and dates are frequent.
    if Value.self == Date.self {
      let date = unsafeBitCast(value, to: Date.self)
      let strategy = recordType.databaseDateEncodingStrategy(for: column)
      if case .deferredToDate = strategy {
        container[column] = date
      } else {
        container[column] = strategy.databaseValue(of: date)
      }
    } else {
      let strategies = ColumnEncodingStrategies(recordType: recordType, column: column)
      container[column] =
        try strategies.databaseValue(of: value, [key])
        ?? databaseValue(of: value, key, column)
    }
  }

  /// Returns the value to store for a property: its database value, the raw value of an enum, or
  /// JSON.
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
      userInfo: userInfo,
      strategies: ColumnEncodingStrategies(recordType: recordType, column: column)
    )
    try value.encode(to: encoder)
    if let value = encoder.result.value { return value }
    let jsonEncoder = recordType.databaseJSONEncoder(for: column)
    jsonEncoder.userInfo.merge(ColumnJSON.userInfo(userInfo)) { own, _ in own }
    return try ColumnJSON.text(of: value, encoder: jsonEncoder)
  }
}
