extension PersistenceContainer {
  /// The value of a column, for columns that were set before; `nil` for NULL too.
  ///
  ///     container[Columns.name] = name
  public subscript<Value: DatabaseValueConvertible>(_ column: some ColumnExpression) -> Value? {
    get { self[column.name] }
    set { self[column.name] = newValue }
  }
}
