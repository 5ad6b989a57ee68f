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

// Values whose type the context does not require. They are disfavored, so that a typed value is
// never read this way.

extension Row {
  /// The value of a column, counted from 0, in the type of its storage class: `Int64`, `Double`,
  /// `String` or `Data`; `nil` for NULL.
  ///
  ///     if row[0] == nil { print("The first column is NULL") }
  ///
  /// - Precondition: The row has the column.
  @_disfavoredOverload
  public subscript(_ index: Int) -> (any DatabaseValueConvertible)? {
    switch databaseValue(at: index).storage {
    case .null: nil
    case .int64(let value): value
    case .double(let value): value
    case .string(let value): value
    case .blob(let value): value
    }
  }

  /// The value of the leftmost column with this name, ignoring case, in the type of its storage
  /// class: `Int64`, `Double`, `String` or `Data`; `nil` for NULL, and when the row has no such
  /// column.
  ///
  ///     if row["email"] == nil { print("There is no address") }
  @_disfavoredOverload
  public subscript(_ name: String) -> (any DatabaseValueConvertible)? {
    index(ofColumn: name).flatMap { index -> (any DatabaseValueConvertible)? in self[index] }
  }

  /// The value of a column in the type of its storage class: `Int64`, `Double`, `String` or `Data`;
  /// `nil` for NULL, and when the row has no such column.
  ///
  ///     if row[Columns.email] == nil { print("There is no address") }
  @_disfavoredOverload
  public subscript(_ column: some ColumnExpression) -> (any DatabaseValueConvertible)? {
    self[column.name]
  }
}

// MARK: - Raw values

extension Row {
  /// The value of the leftmost column with this name, for a type that has a raw value and does not
  /// conform to ``DatabaseValueConvertible``.
  ///
  ///     enum Color: String { case red, white }
  ///     let color: Color = row["color"]
  ///
  /// - Precondition: The row has the column, and its value is a raw value of the type.
  @_disfavoredOverload
  public subscript<Value: RawRepresentable>(_ name: String) -> Value
  where Value.RawValue: DatabaseValueConvertible {
    let raw: Value.RawValue = self[name]
    guard let value = Value(rawValue: raw) else { stop(mismatch(name, Value.self)) }
    return value
  }

  /// The value of the leftmost column with this name, for a type that has a raw value and does not
  /// conform to ``DatabaseValueConvertible``; `nil` for NULL, and when the row has no such column.
  ///
  /// - Precondition: The value is a raw value of the type, or NULL.
  @_disfavoredOverload
  public subscript<Value: RawRepresentable>(_ name: String) -> Value?
  where Value.RawValue: DatabaseValueConvertible {
    guard let raw = self[name] as Value.RawValue? else { return nil }
    guard let value = Value(rawValue: raw) else { stop(mismatch(name, Value.self)) }
    return value
  }
}

extension Row {
  /// The value of a column.
  ///
  ///     let name: String = row[Columns.name]
  ///
  /// - Precondition: The row has the column, and its value fits the type. NULL fits only an
  ///   `Optional`.
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ column: some ColumnExpression) -> Value {
    self[column.name]
  }

  /// Decodes the value of a column.
  ///
  ///     let name = try row.decode(String.self, forColumn: Columns.name)
  ///
  /// - Throws: ``RowDecodingError`` when the row has no such column or several, or when the value
  ///   does not fit the type.
  @inlinable
  public func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self,
    forColumn column: some ColumnExpression
  ) throws -> Value {
    try decode(type, forColumn: column.name)
  }

  /// Returns the first value of the columns that is not NULL, or `nil` when all are NULL.
  ///
  ///     let name: String? = row.coalesce([Column("nickname"), Column("name")])
  ///
  /// - Precondition: The values fit the type.
  @_disfavoredOverload  // An empty list is a list of names.
  public func coalesce<Value: DatabaseValueConvertible>(
    _ columns: some Collection<any ColumnExpression>
  ) -> Value? {
    coalesce(columns.map(\.name))
  }
}

extension Row {
  /// Returns a name or a statement from the schema; `nil` if the value is not a text. U+FFFD
  /// replaces bytes that are not UTF-8, as in the names that SQLite's hooks give.
  ///
  /// SQLite accepts any bytes in a name or a comment, so such a schema is not damaged.
  package func schemaText(_ column: String) -> String? {
    switch (self[column] as DatabaseValue).storage {
    case .string(let text): text
    case .blob(let data): String(decoding: data, as: UTF8.self)
    case .null, .int64, .double: nil
    }
  }
}

extension String {
  /// Whether a name from the schema may have bytes that are not UTF-8, so that it cannot be bound
  /// to find the table, and may be the name of several tables.
  var mayBeRepaired: Bool { unicodeScalars.contains("\u{FFFD}") }
}
