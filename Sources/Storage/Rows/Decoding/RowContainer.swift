/// The keyed container of a row: each coding key names a column.
///
/// The methods run for each decoded value, so they are written out for each type: the default
/// implementations of the protocol would look up a witness table at each call.
struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: CheckedReference<RowDecoding>
  /// The columns of the keys, which the row's decoding owns. They are used only while it lives.
  let columns: KeyColumns<Key>?

  /// The value in the column of a key that was found in an earlier row.
  @inline(__always)
  private func known(_ key: Key) -> ColumnValue? {
    guard let columns, row.isAttached else { return nil }
    return columns.value(key)
  }

  var codingPath: [any CodingKey] { row.withObject { $0.codingPath } }
  var allKeys: [Key] { row.withObject { $0.allNames.compactMap(Key.init(stringValue:)) } }

  func contains(_ key: Key) -> Bool {
    row.withObject { columns?[key] != nil || $0.hasValue(key.stringValue) }
  }
  func decodeNil(forKey key: Key) throws -> Bool { row.withObject { $0.isNil(key, columns) } }

  // One method for each common type of the standard library avoids the detour through `Decodable`.
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    if let column = known(key), let value = Bool.fromColumnValue(column) { return value }
    return try row.withObject { try $0.decode(type, key, columns) }
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    if let column = known(key), let value = Int.fromColumnValue(column) { return value }
    return try row.withObject { try $0.decode(type, key, columns) }
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    if let column = known(key), let value = Int64.fromColumnValue(column) { return value }
    return try row.withObject { try $0.decode(type, key, columns) }
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    if let column = known(key), let value = Double.fromColumnValue(column) { return value }
    return try row.withObject { try $0.decode(type, key, columns) }
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    if let column = known(key), let value = String.fromColumnValue(column) { return value }
    return try row.withObject { try $0.decode(type, key, columns) }
  }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try row.withObject { try $0.decodeAny(type, key, columns) }
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    if let column = known(key) {
      if let value = Bool.fromColumnValue(column) { return value }
      if column.isNull { return nil }
    }
    return try row.withObject { try $0.decodeIfPresent(type, key, columns) }
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    if let column = known(key) {
      if let value = Int.fromColumnValue(column) { return value }
      if column.isNull { return nil }
    }
    return try row.withObject { try $0.decodeIfPresent(type, key, columns) }
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    if let column = known(key) {
      if let value = Int64.fromColumnValue(column) { return value }
      if column.isNull { return nil }
    }
    return try row.withObject { try $0.decodeIfPresent(type, key, columns) }
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    if let column = known(key) {
      if let value = Double.fromColumnValue(column) { return value }
      if column.isNull { return nil }
    }
    return try row.withObject { try $0.decodeIfPresent(type, key, columns) }
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    if let column = known(key) {
      if let value = String.fromColumnValue(column) { return value }
      if column.isNull { return nil }
    }
    return try row.withObject { try $0.decodeIfPresent(type, key, columns) }
  }
  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try row.withObject { try $0.decodeAnyIfPresent(type, key, columns) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try row.withObject { try $0.decoder(ofAssociation: key.stringValue, type) }
      .container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try row.withObject { try $0.decoder(ofAssociation: key.stringValue, Row.self) }
      .unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder {
    throw unsupported(Row.self, "a row has no super decoder")
  }
  func superDecoder(forKey key: Key) throws -> any Decoder {
    try row.withObject { try $0.decoder(ofAssociation: key.stringValue, Row.self) }
  }

  private func unsupported(_ type: Any.Type, _ reason: String) -> RowDecodingError {
    row.withObject { $0.unsupported(type, reason) }
  }
}

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
