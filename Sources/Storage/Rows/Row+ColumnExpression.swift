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
