extension Row {
  /// The value of a column, counted from 0.
  ///
  /// - Precondition: The row has the column, and its value fits the type. NULL fits only an
  ///   `Optional`. Use ``decode(_:atIndex:)`` for values that may not fit.
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
    @inline(__always) get {
      if UInt(bitPattern: index) < liveColumnCount,
        let value = Value.fromColumnValue(
          ColumnValue(sqliteStatement, Int32(truncatingIfNeeded: index))
        )
      {
        return value
      }
      return decodeOrStop(index)
    }
  }

  /// The value of the leftmost column with this name, ignoring case. An `Optional` is `nil` for
  /// NULL, and when the row has no such column.
  ///
  /// - Precondition: The value fits the type. NULL and a missing column fit only an `Optional`. Use
  ///   ``decode(_:forColumn:)-(_,String)`` for values that may not fit.
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ name: String) -> Value {
    guard let index = index(ofColumn: name) else { return absentValue(name) }
    return self[index]
  }

  /// Decodes the value of a column, counted from 0.
  ///
  /// - Throws: ``RowDecodingError`` when the row has no such column, or the value does not fit the
  ///   type.
  @inlinable
  public func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self,
    atIndex index: Int
  ) throws -> Value {
    if UInt(bitPattern: index) < liveColumnCount,
      let value = Value.fromColumnValue(
        ColumnValue(sqliteStatement, Int32(truncatingIfNeeded: index))
      )
    {
      return value
    }
    return try decodeOrThrow(type, atIndex: index)
  }

  /// Decodes the value of the column with this name, ignoring case.
  ///
  /// - Throws: ``RowDecodingError`` when the row has no such column or several, or when the value
  ///   does not fit the type.
  @inlinable
  public func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self,
    forColumn name: String
  ) throws -> Value {
    guard let index = index(ofColumn: name) else { throw missingColumn(name, type) }
    if layout.isAmbiguous(index) { throw ambiguousColumn(name, type) }
    return try decode(type, atIndex: index)
  }

  /// Decodes a value on the slow path: a value of a copied row, or a live value that did not fit,
  /// for the sake of its error.
  @usableFromInline
  func decodeOrThrow<Value: DatabaseValueConvertible>(
    _ type: Value.Type,
    atIndex index: Int
  ) throws -> Value {
    guard index >= 0, index < count else { throw missingColumn("\(index)", type) }
    if let decoded = withColumn(
      at: index,
      live: Value.fromColumnValue,
      copied: Value.fromDatabaseValue
    ) {
      return decoded
    }
    throw mismatch(atIndex: index, type)
  }

  /// Returns the first value of the columns that is not NULL, or `nil` when all are NULL.
  ///
  ///     let name: String? = row.coalesce(["nickname", "name"])
  ///
  /// - Precondition: The row has the columns, and their values fit the type.
  public func coalesce<Value: DatabaseValueConvertible>(
    _ names: some Collection<String>
  ) -> Value? {
    for name in names {
      if let value = self[name] as Value? { return value }
    }
    return nil
  }

  /// Decodes the value of the column with this name, ignoring case. Returns `nil` when the row has
  /// no such column or the value is NULL.
  ///
  /// - Throws: ``RowDecodingError`` when several columns have the name, or when the value does not
  ///   fit the type.
  public func decodeIfPresent<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self,
    forColumn name: String
  ) throws -> Value? {
    try hasColumn(name) ? decode(Value?.self, forColumn: name) : nil
  }

  /// Decodes the value of a column, counted from 0. Returns `nil` when the row has no such column
  /// or the value is NULL.
  ///
  /// - Throws: ``RowDecodingError`` when the value does not fit the type.
  public func decodeIfPresent<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self,
    atIndex index: Int
  ) throws -> Value? {
    try (0..<count).contains(index) ? decode(Value?.self, atIndex: index) : nil
  }
}
