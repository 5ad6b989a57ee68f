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
  /// The row's; for a copy, which has none, its own.
  private let lookup: ColumnLookup
  private let sqliteStatement: OpaquePointer?
  private let hasDuplicates: Bool
  /// The container of the type that was decoded last, of class `KeptContainer`.
  @exclusivity(unchecked) private var keptContainer: AnyObject?
  @exclusivity(unchecked) private var keptKeyType: ObjectIdentifier?
  /// What the decoder and its containers hold.
  let reference = CheckedReference<RowDecoding>()

  init(row: Row) {
    self.row = row
    sqliteStatement = row.sqliteStatement
    hasDuplicates = row.layout.hasDuplicates
    copy = row.sqliteStatement == nil ? row : nil
    lookup = row.lookup ?? ColumnLookup(layout: row.layout)
    reference.refer(to: self)
  }

  deinit {
    reference.invalidate()
    if copy != nil { lookup.deallocate() }
  }

  var columnNames: [String] { row.columnNames }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    let keyType = ObjectIdentifier(type)
    if keptKeyType == keyType, let keptContainer {
      return unsafeDowncast(keptContainer, to: KeptContainer<Key>.self).container
    }
    let container = KeyedDecodingContainer(RowContainer<Key>(row: reference))
    keptContainer = KeptContainer(container)
    keptKeyType = keyType
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
  func decodeAny<Value: Decodable>(_ type: Value.Type, _ key: some CodingKey) throws -> Value {
    let name = key.stringValue
    // Looking for conformances takes longer than decoding, and dates are frequent.
    if ObjectIdentifier(type) == ObjectIdentifier(Date.self) {
      return unsafeBitCast(try decode(Date.self, name), to: type)
    }
    if let convertible = type as? any DatabaseValueConvertible.Type {
      return try decode(convertible, name) as! Value
    }
    do {
      return try Value(
        from: ColumnDecoder(row: reference, name: name, decodedType: type, codingPath: [key])
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
    return try withExtendedLifetime(decoding) {
      try Value(from: RowDecoder(row: decoding.reference))
    }
  }
}

/// A container, in a box that is told from others without asking the runtime.
private final class KeptContainer<Key: CodingKey> {
  let container: KeyedDecodingContainer<Key>

  init(_ container: KeyedDecodingContainer<Key>) {
    self.container = container
  }
}
