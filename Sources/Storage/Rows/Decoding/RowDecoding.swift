internal import Foundation

/// Decodes rows into `Decodable` types. Each coding key names a column.
///
/// One object serves all rows of a cursor: it caches its container, and the columns it has found,
/// from row to row.
final class RowDecoding {
  unowned(unsafe) let row: Row
  /// A strong reference to the row, unless the row owns this object.
  private let owner: Row?
  /// The decoded type, when the row owns this object.
  private let type: ObjectIdentifier?
  let rules: DecodingRules
  /// The names of the coding keys: the column names, unless the type converts them.
  private let keyLayout: RowLayout
  /// The lookup of the row, or a separate one.
  private let lookup: ColumnLookup
  private let ownsLookup: Bool
  private let sqliteStatement: OpaquePointer?
  private let hasDuplicates: Bool
  /// The container of the most recent key type; a ``ReusedValue``.
  @exclusivity(unchecked) private var cachedContainer: AnyObject?
  @exclusivity(unchecked) private var cachedKeyType: ObjectIdentifier?
  /// The rows of the scopes that were decoded, by name.
  @exclusivity(unchecked) var scopeRows: [String: Row] = [:]
  /// Whether a live row owns this object, which serves all steps of the row's cursor.
  var isOwnedByRow: Bool { type != nil }
  /// The reference that the decoder and its containers hold to this object.
  let reference = CheckedReference<RowDecoding>()

  /// - Parameters:
  ///   - row: The row.
  ///   - recordType: The type whose static members define how columns are decoded.
  ///   - type: The decoded type, when the row will own this object.
  ///   - userInfo: The values that the caller adds to the `userInfo` of the type.
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
    // The row's lookup is shared only when the row owns this object; otherwise other code may use
    // it meanwhile.
    if type != nil, keyNames == nil, let lookup = row.lookup {
      self.lookup = lookup
      ownsLookup = false
    } else {
      lookup = ColumnLookup(layout: keyLayout)
      ownsLookup = true
    }
    reference.attach(self)
  }

  deinit {
    reference.invalidate()
    if ownsLookup { lookup.deallocate() }
  }

  /// The names of the coding keys for which the row has values.
  var keyNames: [String] { keyLayout.columnNames }

  /// Returns whether the row owns this object and it decodes rows into a type.
  func isOwned(for type: ObjectIdentifier) -> Bool { self.type == type }

  /// Decodes the current row of the cursor.
  @inline(__always)
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if ownsLookup { lookup.rewind() }
    return try withExtendedLifetime(self) { try Value(from: RowDecoder(row: reference)) }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    let keyType = ObjectIdentifier(type)
    if cachedKeyType == keyType, let cachedContainer {
      return unsafeDowncast(cachedContainer, to: ReusedValue<KeyedDecodingContainer<Key>>.self)
        .copy()
    }
    return makeContainer(keyedBy: type)
  }

  // Inlined, it would instantiate its types for each row.
  @inline(never)
  private func makeContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) -> KeyedDecodingContainer<Key> {
    let container = KeyedDecodingContainer(RowContainer<Key>(row: reference))
    cachedContainer = ReusedValue(container)
    cachedKeyType = ObjectIdentifier(type)
    return container
  }

  func hasColumn(_ name: String) -> Bool {
    lookup.column(name) != nil
  }

  /// Returns whether the column is missing or NULL, and no scope of this name has a value.
  func isNil(_ name: String) -> Bool {
    guard let index = lookup.column(name) else {
      return scope(name)?.containsNonNullValue != true && !hasPrefetchedRows(name)
    }
    guard let sqliteStatement else {
      return row.databaseValue(at: index).isNull
    }
    return ColumnValue(sqliteStatement, Int32(index)).isNull
  }

  @inline(__always)
  func decode<Value: DatabaseValueConvertible>(_ type: Value.Type, _ name: String) throws -> Value {
    try decode(type, at: column(name, type))
  }

  /// Returns the column of a key.
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
    return try row.decodeOrThrow(type, atIndex: index)
  }

  /// Decodes a value, or returns `nil` when it is NULL or missing.
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
    return try row.decodeOrThrow(Value?.self, atIndex: index)
  }

  /// Decodes a type outside the standard library: one that converts from a database value, one that
  /// decodes from a single value (such as an enum with a raw value), or one stored as JSON.
  func decodeAny<Value: Decodable>(_ type: Value.Type, _ key: some CodingKey) throws -> Value {
    // Checking for a conformance takes longer than decoding, and dates are frequent.
    if ObjectIdentifier(type) == ObjectIdentifier(Date.self), row.adapted == nil {
      return unsafeBitCast(try decodeDate(key.stringValue), to: type)
    }
    return try decodeOther(type, key)
  }

  // Inlined, it would instantiate the optional type at each date.
  @inline(never)
  private func decodeOther<Value: Decodable>(
    _ type: Value.Type,
    _ key: some CodingKey
  ) throws -> Value {
    let name = key.stringValue
    if let scope = scope(name) { return try decode(type, scope: scope) }
    if let value = try decodeByStrategy(type, name) { return value }
    if let convertible = type as? any DatabaseValueConvertible.Type {
      return try decode(convertible, name) as! Value
    }
    if let value = try decodeWithoutColumn(type, name) { return value }
    do {
      return try Value(
        from: ColumnDecoder(row: reference, name: name, decodedType: type, codingPath: [key])
      )
    } catch is DecodingError {
      // The value has no case in an enum, for example.
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

  /// Decodes a date or data, optional or not, with the strategy of the record type. Returns `nil`
  /// for other types.
  func decodeByStrategy<Value>(_ type: Value.Type, _ name: String) throws -> Value? {
    // Comparing types costs less than a cast, and most values have other types.
    if Value.self == Date.self { return try decodeDate(name) as? Value }
    if Value.self == Data.self { return try decodeData(name) as? Value }
    if Value.self == Date?.self {
      let date = isNil(name) ? nil : try decodeDate(name)
      return .some(date as! Value)
    }
    if Value.self == Data?.self {
      let data = isNil(name) ? nil : try decodeData(name)
      return .some(data as! Value)
    }
    return nil
  }

  /// Decodes a date with the strategy of the record type.
  private func decodeDate(_ name: String) throws -> Date {
    let index = try column(name, Date.self)
    guard let strategy = rules.dateStrategy(ofColumn: index) else {
      return try decode(Date.self, at: index)
    }
    guard let date = strategy.date(from: row.databaseValue(at: index)) else {
      throw row.mismatch(atIndex: index, Date.self)
    }
    return date
  }

  private func decodeData(_ name: String) throws -> Data {
    let index = try column(name, Data.self)
    guard let strategy = rules.dataStrategy(ofColumn: index) else {
      return try decode(Data.self, at: index)
    }
    guard let data = strategy.data(from: row.databaseValue(at: index)) else {
      throw row.mismatch(atIndex: index, Data.self)
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
  /// Decodes the row into a `Decodable` type: each coding key names a column. Values that a column
  /// cannot hold, such as arrays, are decoded from JSON.
  func decoded<Value: Decodable>(
    as type: Value.Type,
    _ recordType: @autoclosure () -> (any FetchableRecord.Type)?
  ) throws -> Value {
    let identifier = ObjectIdentifier(type)
    if let decoding, decoding.isOwned(for: identifier) { return try decoding.decode(type) }
    // The decoding of a copy is not cached: a copy is decoded once, and must not change because
    // other threads may read it.
    guard isLive else {
      return try RowDecoding(row: self, recordType: recordType()).decode(type)
    }
    let decoding = RowDecoding(row: self, recordType: recordType(), ownedFor: identifier)
    self.decoding = decoding
    return try decoding.decode(type)
  }
}
