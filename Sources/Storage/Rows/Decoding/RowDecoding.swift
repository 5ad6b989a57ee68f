internal import Foundation

/// Decodes rows into `Decodable` types, a coding key a column.
///
/// One object serves all rows of a cursor: the container that it hands out and the columns that it
/// has found are kept from row to row.
final class RowDecoding {
  unowned(unsafe) let row: Row
  /// The row, unless it owns this object.
  private let owner: Row?
  /// The type that is decoded, when the row owns this object.
  private let type: ObjectIdentifier?
  let rules: DecodingRules
  /// The names that coding keys are looked up in: those of the columns, unless the type converts them.
  private let keyLayout: RowLayout
  /// The row's, or one of its own.
  private let lookup: ColumnLookup
  private let ownsLookup: Bool
  private let sqliteStatement: OpaquePointer?
  private let hasDuplicates: Bool
  /// The container of the type that was decoded last, of class `KeptContainer`.
  @exclusivity(unchecked) private var keptContainer: AnyObject?
  @exclusivity(unchecked) private var keptKeyType: ObjectIdentifier?
  /// What the decoder and its containers hold.
  let reference = CheckedReference<RowDecoding>()

  /// - Parameters:
  ///   - row: The row.
  ///   - recordType: Whose static members say how columns are read.
  ///   - type: The type that is decoded, when the row will own this object.
  ///   - userInfo: What the caller adds to the type's.
  init(
    row: Row,
    recordType: (any FetchableRecord.Type)?,
    ownedFor type: ObjectIdentifier? = nil,
    userInfo: [CodingUserInfoKey: Any]? = nil
  ) {
    self.row = row
    self.type = type
    owner = type == nil ? row : nil
    sqliteStatement = row.sqliteStatement
    rules = DecodingRules(
      recordType: recordType,
      columnNames: row.columnNames,
      userInfo: userInfo
    )
    let keyNames = rules.keyNames
    keyLayout = keyNames.map(RowLayout.init(columnNames:)) ?? row.layout
    hasDuplicates = keyLayout.hasDuplicates
    // A row that does not own this object may be looked at in other ways meanwhile.
    if type != nil, keyNames == nil, let lookup = row.lookup {
      self.lookup = lookup
      ownsLookup = false
    } else {
      lookup = ColumnLookup(layout: keyLayout)
      ownsLookup = true
    }
    reference.refer(to: self)
  }

  deinit {
    reference.invalidate()
    if ownsLookup { lookup.deallocate() }
  }

  /// The names of the coding keys that the row has values for.
  var keyNames: [String] { keyLayout.columnNames }

  /// Whether this object decodes rows into a type, with what holds for all rows.
  func isOwned(for type: ObjectIdentifier) -> Bool { self.type == type }

  /// Decodes the row that the cursor stands on.
  @inline(__always)
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if ownsLookup { lookup.rewind() }
    return try withExtendedLifetime(self) { try Value(from: RowDecoder(row: reference)) }
  }

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

  /// Whether the column is missing or NULL, and no scope of this name has a value.
  func isNil(_ name: String) -> Bool {
    guard let index = lookup.column(name) else { return scope(name)?.containsNonNullValue != true }
    guard let sqliteStatement else {
      return row.databaseValue(at: index).isNull
    }
    return ColumnValue(sqliteStatement, Int32(index)).isNull
  }

  @inline(__always)
  func decode<Value: DatabaseValueConvertible>(_ type: Value.Type, _ name: String) throws -> Value {
    try decode(type, at: column(name, type))
  }

  /// The column of a key.
  @inline(__always)
  private func column(_ name: String, _ type: Any.Type) throws -> Int {
    guard let index = lookup.column(name) else {
      throw row.missingColumn(name, type)
    }
    if hasDuplicates, keyLayout.isAmbiguous(index) { throw row.ambiguousColumn(name, type) }
    return index
  }

  @inline(__always)
  private func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type,
    at index: Int
  ) throws -> Value {
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
    if hasDuplicates, keyLayout.isAmbiguous(index) { throw row.ambiguousColumn(name, type) }
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
    if let scope = scope(name) { return try decode(type, scope: scope) }
    // Looking for conformances takes longer than decoding, and dates are frequent.
    if ObjectIdentifier(type) == ObjectIdentifier(Date.self) {
      return unsafeBitCast(try decodeDate(name), to: type)
    }
    if ObjectIdentifier(type) == ObjectIdentifier(Data.self) {
      return try decodeData(name) as! Value
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
      let index = try column(name, type)
      let data = try decode(Data.self, at: index)
      do {
        return try rules.jsonDecoder(forColumn: row.columnNames[index]).decode(type, from: data)
      } catch {
        throw unsupported(type, "column \(name) holds JSON that does not fit: \(error)")
      }
    }
  }

  /// Date and data as the record's type wants them to be read.
  private func decodeDate(_ name: String) throws -> Date {
    let index = try column(name, Date.self)
    guard let strategy = rules.dateStrategy(ofColumn: index) else {
      return try decode(Date.self, at: index)
    }
    guard let date = strategy.date(from: row.databaseValue(at: index)) else {
      throw row.misfit(atIndex: index, Date.self)
    }
    return date
  }

  private func decodeData(_ name: String) throws -> Data {
    let index = try column(name, Data.self)
    guard let strategy = rules.dataStrategy(ofColumn: index) else {
      return try decode(Data.self, at: index)
    }
    guard let data = strategy.data(from: row.databaseValue(at: index)) else {
      throw row.misfit(atIndex: index, Data.self)
    }
    return data
  }

  func unsupported(_ type: Any.Type, _ reason: String) -> RowDecodingError {
    RowDecodingError(
      reason: .unsupported(reason),
      column: "",
      expectedType: type,
      value: nil,
      availableColumns: row.columnNames,
      sql: row.sql
    )
  }
}

extension Row {
  /// Decodes the row into a `Decodable` type: each coding key names a column. What a column cannot
  /// hold, such as an array, is decoded from JSON text.
  func decoded<Value: Decodable>(
    as type: Value.Type,
    _ recordType: @autoclosure () -> (any FetchableRecord.Type)?
  ) throws -> Value {
    let identifier = ObjectIdentifier(type)
    if let decoding, decoding.isOwned(for: identifier) { return try decoding.decode(type) }
    // A copy is decoded once, and must stay as it is for other threads.
    guard isLive else {
      return try RowDecoding(row: self, recordType: recordType()).decode(type)
    }
    let decoding = RowDecoding(row: self, recordType: recordType(), ownedFor: identifier)
    self.decoding = decoding
    return try decoding.decode(type)
  }
}

/// A container, in a box that is told from others without asking the runtime.
private final class KeptContainer<Key: CodingKey> {
  let container: KeyedDecodingContainer<Key>

  init(_ container: KeyedDecodingContainer<Key>) {
    self.container = container
  }
}
