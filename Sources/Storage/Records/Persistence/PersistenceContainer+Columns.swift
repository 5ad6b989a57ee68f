extension PersistenceContainer {
  /// The value of a column that was set before; `nil` for NULL and for other columns.
  ///
  ///     container[Columns.name] = name
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ column: some ColumnExpression) -> Value? {
    get { self[column.name] }
    set { self[column.name] = newValue }
  }
}

extension PersistenceContainer {
  /// The value of a column that was set before; `nil` for NULL and for other columns.
  ///
  ///     container[Columns.score] = score
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ column: TypedColumn<Value>) -> Value? {
    get { self[column.name] }
    set { self[column.name] = newValue }
  }
}
