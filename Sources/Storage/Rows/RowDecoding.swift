internal import Foundation

/// Decodes rows into `Decodable` types, a coding key a column.
///
/// One object serves all rows of a cursor: the container that it hands out and the columns that it
/// has found are kept from row to row.
final class RowDecoding {
  // A live row owns this object.
  private unowned(unsafe) let row: Row
  /// A copy, which does not.
  private let copy: Row?
  private let lookup: ColumnLookup
  private let sqliteStatement: OpaquePointer?
  private let hasDuplicates: Bool
  /// The container of the type that was decoded last.
  private var cachedContainer: (keyType: ObjectIdentifier, container: Any)?

  init(row: Row) {
    self.row = row
    sqliteStatement = row.sqliteStatement
    hasDuplicates = row.layout.hasDuplicates
    copy = row.sqliteStatement == nil ? row : nil
    lookup = row.lookup ?? ColumnLookup(layout: row.layout)
  }

  var columnNames: [String] { row.columnNames }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    let keyType = ObjectIdentifier(type)
    if let cachedContainer, cachedContainer.keyType == keyType,
      let container = cachedContainer.container as? KeyedDecodingContainer<Key>
    {
      return container
    }
    let container = KeyedDecodingContainer(RowContainer<Key>(decoding: self))
    cachedContainer = (keyType, container)
    return container
  }

  func hasColumn(_ name: String) -> Bool {
    lookup.column(name) != nil
  }

  /// Whether the column is missing or NULL.
  func isNil(_ name: String) -> Bool {
    guard let index = lookup.column(name) else { return true }
    guard let sqliteStatement else {
      return row.databaseValue(at: index).isNull
    }
    return ColumnValue(sqliteStatement, Int32(index)).isNull
  }

  @inline(__always)
  func decode<Value: DatabaseValueConvertible>(_ type: Value.Type, _ name: String) throws -> Value {
    guard let index = lookup.column(name) else {
      throw row.missingColumn(name, type)
    }
    if hasDuplicates, row.layout.isAmbiguous(index) { throw row.ambiguousColumn(name, type) }
    if let sqliteStatement,
      let value = Value.fromColumnValue(
        ColumnValue(sqliteStatement, Int32(truncatingIfNeeded: index))
      )
    {
      return value
    }
    return try row.decodeCopied(type, atIndex: index)
  }

  /// A value that is NULL or missing is `nil`.
  @inline(__always)
  func decodeIfPresent<Value: DatabaseValueConvertible>(
    _ type: Value.Type,
    _ name: String
  ) throws -> Value? {
    guard let index = lookup.column(name) else { return nil }
    if hasDuplicates, row.layout.isAmbiguous(index) { throw row.ambiguousColumn(name, type) }
    if let sqliteStatement {
      let column = ColumnValue(sqliteStatement, Int32(truncatingIfNeeded: index))
      if let value = Value.fromColumnValue(column) { return value }
      if column.isNull { return nil }
    }
    return try row.decodeCopied(Value?.self, atIndex: index)
  }

  /// Decodes a type that is not one of the standard library's: one that converts to a database
  /// value, one that decodes from a single value (an enum with a raw value), or JSON.
  func decodeAny<Value: Decodable>(
    _ type: Value.Type,
    _ name: String,
    codingPath: [any CodingKey]
  ) throws -> Value {
    if type == Date.self { return try decode(Date.self, name) as! Value }
    if let convertible = type as? any DatabaseValueConvertible.Type {
      return try decode(convertible, name) as! Value
    }
    do {
      return try Value(
        from: ColumnDecoder(decoding: self, name: name, decodedType: type, codingPath: codingPath)
      )
    } catch is DecodingError {
      // An enum has no case for the value.
      throw row.mismatch(name, type)
    } catch is ColumnDecoder.NeedsJSON {
      let data = try decode(Data.self, name)
      do {
        return try JSONDecoder().decode(type, from: data)
      } catch {
        throw unsupported(type, "column \(name) holds JSON that does not fit: \(error)")
      }
    }
  }

  func unsupported(_ type: Any.Type, _ reason: String) -> RowDecodingError {
    RowDecodingError(
      reason: .unsupported(reason),
      column: "",
      expectedType: type,
      value: nil,
      availableColumns: columnNames,
      sql: row.sql
    )
  }
}

extension Row {
  /// Decodes the row into a `Decodable` type: each coding key names a column. What a column cannot
  /// hold, such as an array, is decoded from JSON text.
  func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    let decoding = self.decoding ?? RowDecoding(row: self)
    // A copy is decoded once, and must stay as it is for other threads.
    if sqliteStatement != nil { self.decoding = decoding }
    return try Value(from: RowDecoder(decoding: decoding))
  }
}

/// The decoder of a whole row.
private struct RowDecoder: Decoder {
  let decoding: RowDecoding
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    decoding.container(keyedBy: type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw decoding.unsupported(Row.self, "a row has names: it is no unkeyed container")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw decoding.unsupported(Row.self, "a row has columns: it is no single value")
  }
}

/// The columns of a row, by coding key.
private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  // The decoder or the row owns it for as long as the container is used.
  unowned let decoding: RowDecoding

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { decoding.columnNames.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { decoding.hasColumn(key.stringValue) }
  func decodeNil(forKey key: Key) throws -> Bool { decoding.isNil(key.stringValue) }

  // The standard library's types, one by one, so that no value takes the way through `Decodable`.
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try decoding.decode(type, key.stringValue)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try decoding.decode(type, key.stringValue)
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try decoding.decode(type, key.stringValue)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try decoding.decode(type, key.stringValue)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try decoding.decode(type, key.stringValue)
  }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoding.decodeAny(type, key.stringValue, codingPath: [key])
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try decoding.decodeIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try decoding.decodeIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try decoding.decodeIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try decoding.decodeIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try decoding.decodeIfPresent(type, key.stringValue)
  }
  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard !decoding.isNil(key.stringValue) else { return nil }
    return try decoding.decodeAny(type, key.stringValue, codingPath: [key])
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    throw decoding.unsupported(type, "column \(key.stringValue) has no nested container")
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw decoding.unsupported(Row.self, "column \(key.stringValue) has no nested container")
  }
  func superDecoder() throws -> any Decoder {
    throw decoding.unsupported(Row.self, "a row has no super decoder")
  }
  func superDecoder(forKey key: Key) throws -> any Decoder {
    throw decoding.unsupported(Row.self, "a row has no super decoder")
  }
}

/// The decoder of one column.
private struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
  /// Thrown when the type wants a container, which a column can only give as JSON.
  struct NeedsJSON: Error {}

  let decoding: RowDecoding
  let name: String
  /// The type that decodes itself with this decoder.
  let decodedType: Any.Type
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw NeedsJSON()
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NeedsJSON() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { decoding.isNil(name) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let convertible = type as? any DatabaseValueConvertible.Type {
      return try decoding.decode(convertible, name) as! Value
    }
    // A type that asks the decoder for itself leaves everything to it.
    guard type != decodedType else {
      throw decoding.unsupported(type, "it converts to no value of a database")
    }
    return try Value(
      from: ColumnDecoder(
        decoding: decoding,
        name: name,
        decodedType: type,
        codingPath: codingPath
      )
    )
  }
}
