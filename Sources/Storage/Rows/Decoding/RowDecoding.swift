internal import FoundationEssentials

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
  private let isAdapted: Bool
  /// The container of the most recent key type; a ``ReusedValue``.
  @exclusivity(unchecked) private var cachedContainer: AnyObject?
  @exclusivity(unchecked) private var cachedKeyType: ObjectIdentifier?
  /// The memory of each key type's ``KeyColumns``.
  @exclusivity(unchecked) private var keyColumns: [ObjectIdentifier: UnsafeMutablePointer<Int16>] =
    [:]
  /// The rows of the scopes that were decoded, by name.
  @exclusivity(unchecked) var scopeRows: [String: Row] = [:]
  /// The key that was decoded from the row itself, which only one key may be.
  @exclusivity(unchecked) var rootKey: String?
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
    isAdapted = row.adapted != nil
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
    for columns in keyColumns.values { columns.deallocate() }
  }

  /// The names of the coding keys for which the row has values.
  var keyNames: [String] { keyLayout.columnNames }

  /// Returns whether the row owns this object and it decodes rows into a type.
  func isOwned(for type: ObjectIdentifier) -> Bool { self.type == type }

  /// Decodes the current row of the cursor.
  @inline(__always)
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try Value(from: decoderOfNextValue())
    // The decoder and its containers refer to this object without keeping it alive.
    withExtendedLifetime(self) {}
    return value
  }

  /// Returns the decoder of the current row, which does not keep this object alive.
  @inline(__always)
  func decoderOfNextValue() -> RowDecoder {
    if ownsLookup { lookup.rewind() }
    return RowDecoder(row: reference)
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
    let container = KeyedDecodingContainer(
      RowContainer<Key>(row: reference, columns: columns(ofKeys: type))
    )
    cachedContainer = ReusedValue(container)
    cachedKeyType = ObjectIdentifier(type)
    return container
  }

  /// The table of columns for a key type. A row that is decoded once gets none: to make it would
  /// take longer than it saves.
  private func columns<Key: CodingKey>(ofKeys type: Key.Type) -> KeyColumns<Key>? {
    guard isOwnedByRow, KeyColumns<Key>.isPossible, let sqliteStatement else { return nil }
    let keyType = ObjectIdentifier(type)
    let columns = keyColumns[keyType] ?? allocateKeyColumns()
    keyColumns[keyType] = columns
    return KeyColumns(columns, of: sqliteStatement)
  }

  func hasColumn(_ name: String) -> Bool {
    lookup.column(name) != nil
  }

  /// Returns whether the column is missing or NULL, and no scope of this name has a value.
  func isNil<Key: CodingKey>(_ key: Key, _ columns: KeyColumns<Key>?) -> Bool {
    if let column = columns?[key] { return isNull(at: column) }
    return isNil(key.stringValue)
  }

  func isNil(_ name: String) -> Bool {
    guard let index = lookup.column(name) else {
      return scope(name)?.containsNonNullValue != true && !hasPrefetchedRows(name)
    }
    return isNull(at: index)
  }

  private func isNull(at index: Int) -> Bool {
    guard let sqliteStatement else { return row.databaseValue(at: index).isNull }
    return ColumnValue(sqliteStatement, Int32(truncatingIfNeeded: index)).isNull
  }

  func decode<Value: DatabaseValueConvertible, Key: CodingKey>(
    _ type: Value.Type,
    _ key: Key,
    _ columns: KeyColumns<Key>?
  ) throws -> Value {
    try decode(type, at: column(key, columns, type))
  }

  /// Returns the column of a key.
  @inline(__always)
  private func column<Key: CodingKey>(
    _ key: Key,
    _ columns: KeyColumns<Key>?,
    _ type: Any.Type
  ) throws -> Int {
    if let known = columns?[key] { return known }
    return try findColumn(key, columns, type)
  }

  @inline(never)
  private func findColumn<Key: CodingKey>(
    _ key: Key,
    _ columns: KeyColumns<Key>?,
    _ type: Any.Type
  ) throws -> Int {
    guard let index = try findColumnIfPresent(key, columns, type) else {
      throw row.missingColumn(key.stringValue, type)
    }
    return index
  }

  /// Returns the column of a name.
  func column(_ name: String, _ type: Any.Type) throws -> Int {
    guard let index = try columnIfPresent(name, type) else { throw row.missingColumn(name, type) }
    return index
  }

  @inline(__always)
  private func columnIfPresent(_ name: String, _ type: Any.Type) throws -> Int? {
    guard let index = lookup.column(name) else { return nil }
    if hasDuplicates, keyLayout.isAmbiguous(index) { throw row.ambiguousColumn(name, type) }
    return index
  }

  @inline(__always)
  func decode<Value: DatabaseValueConvertible>(
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
  func decodeIfPresent<Value: DatabaseValueConvertible, Key: CodingKey>(
    _ type: Value.Type,
    _ key: Key,
    _ columns: KeyColumns<Key>?
  ) throws -> Value? {
    guard let index = try columns?[key] ?? findColumnIfPresent(key, columns, type) else {
      return nil
    }
    if let sqliteStatement {
      let column = ColumnValue(sqliteStatement, Int32(truncatingIfNeeded: index))
      if let value = Value.fromColumnValue(column) { return value }
      if column.isNull { return nil }
    }
    return try row.decodeOrThrow(Value?.self, atIndex: index)
  }

  @inline(never)
  private func findColumnIfPresent<Key: CodingKey>(
    _ key: Key,
    _ columns: KeyColumns<Key>?,
    _ type: Any.Type
  ) throws -> Int? {
    let index = try columnIfPresent(key.stringValue, type)
    columns?[key] = index
    return index
  }

  /// Decodes a type outside the standard library: a type that converts from a database value, that
  /// decodes from a single value (such as an enum with a raw value), or that is stored as JSON.
  func decodeAny<Value: Decodable, Key: CodingKey>(
    _ type: Value.Type,
    _ key: Key,
    _ columns: KeyColumns<Key>?,
    isOptional: Bool = false
  ) throws -> Value {
    // Checking for a conformance takes longer than decoding, and dates are frequent.
    if ObjectIdentifier(type) == ObjectIdentifier(Date.self), !isAdapted {
      return unsafeBitCast(try decodeDate(at: column(key, columns, Date.self)), to: type)
    }
    return try decodeOther(type, key, isOptional: isOptional)
  }

  /// Decodes a value, or returns `nil` when it is NULL or missing, or when a column of JSON holds
  /// `null` or an empty text.
  func decodeAnyIfPresent<Value: Decodable, Key: CodingKey>(
    _ type: Value.Type,
    _ key: Key,
    _ columns: KeyColumns<Key>?
  ) throws -> Value? {
    guard !isNil(key, columns) else { return nil }
    do {
      return try decodeAny(type, key, columns, isOptional: true)
    } catch is JSONWithoutValue {
      return nil
    }
  }

  // Inlined, it would instantiate the optional type at each date.
  @inline(never)
  private func decodeOther<Value: Decodable>(
    _ type: Value.Type,
    _ key: some CodingKey,
    isOptional: Bool
  ) throws -> Value {
    let name = key.stringValue
    if let scope = scope(name) { return try decode(type, scope: scope) }
    if let value = try decodeByStrategy(type, name) { return value }
    if let convertible = type as? any DatabaseValueConvertible.Type {
      return try decode(convertible, at: column(name, type)) as! Value
    }
    if let value = try decodeWithoutColumn(type, name) { return value }
    do {
      return try Value(
        from: ColumnDecoder(
          row: reference,
          name: name,
          decodedType: type,
          codingPath: row.adapted == nil ? [key] : codingPath + [key]
        )
      )
    } catch is DecodingError {
      // The value has no case in an enum, for example.
      throw row.mismatch(name, type)
    } catch is ColumnDecoder.NeedsJSON {
      let index = try column(name, type)
      let data = try json(at: index, type)
      do {
        return try rules.jsonDecoder(forColumn: row.columnNames[index]).decode(type, from: data)
      } catch {
        if isOptional, data.isJSONWithoutValue { throw JSONWithoutValue() }
        throw unsupported(type, "column \(name) holds JSON that does not fit: \(error)")
      }
    }
  }

  private func json(at index: Int, _ type: Any.Type) throws -> Data {
    do {
      return try decode(Data.self, at: index)
    } catch let error as RowDecodingError {
      // The column should hold JSON of the type, and not a `Data`.
      guard error.reason == .mismatch else { throw row.mismatch(atIndex: index, type) }
      let found = error.found ?? "?"
      throw unsupported(type, "column \(error.column) holds \(found), which is not JSON text")
    }
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

/// A column of JSON has no value: the JSON is `null`, or an empty text.
private struct JSONWithoutValue: Error {}

extension Data {
  fileprivate var isJSONWithoutValue: Bool {
    let spaces: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    let content = drop { spaces.contains($0) }.reversed().drop { spaces.contains($0) }
    return content.isEmpty || content.elementsEqual("null".utf8.reversed())
  }
}

extension Row {
  /// Returns whether this live row was decoded into a type last: ``lastDecoder`` decodes that type.
  @usableFromInline
  func lastDecoderDecodes(_ type: Any.Type) -> Bool {
    guard let decoding else { return false }
    return decoding._withUnsafeGuaranteedRef { $0.isOwned(for: ObjectIdentifier(type)) }
  }

  /// The decoder of the type that the row was decoded into last, for one more value of it. It does
  /// not keep the row alive.
  @usableFromInline var lastDecoder: any Decoder {
    decoding!._withUnsafeGuaranteedRef { $0.decoderOfNextValue() }
  }

  /// Decodes the row into a record.
  @usableFromInline
  func decodedRecord<Record: Decodable & FetchableRecord>(_ type: Record.Type) throws -> Record {
    try decoded(as: type, type)
  }

  /// Decodes the row into a `Decodable` type: each coding key names a column. Values that a column
  /// cannot hold, such as arrays, are decoded from JSON.
  func decoded<Value: Decodable>(
    as type: Value.Type,
    _ recordType: @autoclosure () -> (any FetchableRecord.Type)?
  ) throws -> Value {
    if let decoding, lastDecoderDecodes(type) {
      return try decoding._withUnsafeGuaranteedRef { try $0.decode(type) }
    }
    // The decoding of a copy is not cached: a copy is decoded once, and must not change because
    // other threads may read it.
    guard isLive else {
      return try RowDecoding(row: self, recordType: recordType()).decode(type)
    }
    let identifier = ObjectIdentifier(type)
    let decoding =
      decodings[identifier]
      ?? RowDecoding(row: self, recordType: recordType(), ownedFor: identifier)
    decodings[identifier] = decoding
    self.decoding = Unmanaged.passUnretained(decoding)
    return try decoding.decode(type)
  }
}
