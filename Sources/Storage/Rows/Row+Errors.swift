// The errors of values that cannot be decoded. The throwing methods throw them; subscripts stop the
// program with them.

extension Row {
  /// Returns the error of a column whose value does not fit the type.
  func mismatch(atIndex index: Int, _ type: Any.Type) -> RowDecodingError {
    let value = databaseValue(at: index)
    return RowDecodingError(
      reason: value.isNull ? .unexpectedNull : .mismatch,
      column: columnNames[index],
      expectedType: type,
      value: value,
      availableColumns: columnNames,
      sql: sql
    )
  }

  @usableFromInline
  func missingColumn(_ name: String, _ type: Any.Type) -> RowDecodingError {
    if hasPrefetchedRows(name) { return severalRows(name, type) }
    return RowDecodingError(
      reason: .missingColumn,
      column: name,
      expectedType: type,
      value: nil,
      availableColumns: columnNames,
      sql: sql
    )
  }

  /// Returns whether a key names associated rows, unless it names a column.
  func hasPrefetchedRows(_ key: String) -> Bool {
    guard let prefetch else { return false }
    return prefetch.rows.names.contains { $0.key == key && $0.scope.starts(with: prefetch.scope) }
  }

  /// Returns the error of associated rows that are decoded as one value.
  func severalRows(_ key: String, _ type: Any.Type) -> RowDecodingError {
    RowDecodingError(
      reason: .unsupported("\(key) are several rows, which decode into a collection only"),
      column: key,
      expectedType: type,
      value: nil,
      availableColumns: columnNames,
      sql: sql
    )
  }

  @usableFromInline
  func ambiguousColumn(_ name: String, _ type: Any.Type) -> RowDecodingError {
    RowDecodingError(
      reason: .ambiguousColumn,
      column: name,
      expectedType: type,
      value: nil,
      availableColumns: columnNames,
      sql: sql
    )
  }

  /// Returns the error of a column whose value does not fit the type.
  func mismatch(_ name: String, _ type: Any.Type) -> RowDecodingError {
    let value = index(ofColumn: name).map(databaseValue(at:))
    return RowDecodingError(
      reason: value?.isNull == true ? .unexpectedNull : .mismatch,
      column: name,
      expectedType: type,
      value: value,
      availableColumns: columnNames,
      sql: sql
    )
  }

  @usableFromInline
  @inline(never)
  func decodeOrStop<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
    do {
      return try decodeOrThrow(Value.self, atIndex: index)
    } catch {
      stop(error)
    }
  }

  /// Returns the value of a column that the row does not have: `nil`, if the type is an `Optional`.
  @usableFromInline
  func absentValue<Value: DatabaseValueConvertible>(_ name: String) -> Value {
    guard Value.self is any ExpressibleByNilLiteral.Type,
      let absent = Value.fromDatabaseValue(.null)
    else { stop(missingColumn(name, Value.self)) }
    return absent
  }

  @usableFromInline
  @inline(never)
  func stop(_ error: any Error) -> Never {
    fatalError("\(error). Use row.decode(…) to get an error that can be caught.")
  }
}
