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
