extension Row {
  /// The value of a column.
  ///
  ///     let name: String = row[Columns.name]
  ///
  /// - Precondition: There is such a column, and its value fits the type: an `Optional` takes NULL.
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ column: some ColumnExpression) -> Value {
    self[column.name]
  }

  /// Decodes the value of a column.
  ///
  ///     let name = try row.decode(String.self, forColumn: Columns.name)
  ///
  /// - Throws: ``RowDecodingError`` when there is no such column or several are, or when its value does
  ///   not fit.
  @inlinable
  public func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self,
    forColumn column: some ColumnExpression
  ) throws -> Value {
    try decode(type, forColumn: column.name)
  }
}
