// Access to the values of columns and expressions, in their Swift types.

extension Row {
  /// The value of a column, in the column's type.
  ///
  ///     let email = row[Columns.email]  // String?
  ///
  /// - Precondition: The row has the column, and its value fits the type.
  public subscript<Value: DatabaseValueConvertible>(_ column: TypedColumn<Value>) -> Value {
    self[column.name]
  }

  /// Decodes the value of a column, in the column's type.
  ///
  ///     let email = try row.decode(Columns.email)
  ///
  /// - Throws: ``RowDecodingError`` when the row does not have exactly one such column, or when its
  ///   value does not fit the type.
  public func decode<Value: DatabaseValueConvertible>(
    _ column: TypedColumn<Value>
  ) throws -> Value {
    try decode(Value.self, forColumn: column.name)
  }

  /// The value of a selected expression, in the expression's type.
  ///
  ///     let sentence = name + " is " + cast(age, as: String.self)
  ///     let row = try Row.fetchOne(db, Player.select(sentence))!
  ///     row[sentence]  // String
  ///
  /// A column of a joined table is found in the scope of that table: `row[managers.id]`. Other
  /// expressions are found by their SQL without its values: name expressions that differ only in
  /// values, with `forKey`.
  ///
  /// - Precondition: The expression was selected, and its value fits the type.
  public subscript<Value>(_ expression: TypedExpression<Value>) -> Value {
    self[expression.untyped]
  }

  /// Decodes the value of a selected expression, in the expression's type.
  ///
  ///     let sentence = try row.decode(name + " is " + cast(age, as: String.self))
  ///
  /// - Throws: ``RowDecodingError`` when the expression was not selected, when several expressions
  ///   with the same SQL were selected, or when the value does not fit the type.
  public func decode<Value>(_ expression: TypedExpression<Value>) throws -> Value {
    try decode(Value.self, forExpression: expression.untyped)
  }

  /// The value of a selected expression.
  ///
  ///     let managerID: Int64? = row[managers[Column("id")]]
  ///
  /// - Precondition: The expression was selected, and its value fits the type. An `Optional`
  ///   accepts NULL.
  public subscript<Value: DatabaseValueConvertible>(_ expression: SQLExpression) -> Value {
    let result = expression.node.part.resultColumn
    return scope(of: result)[result.name]
  }

  /// Decodes the value of a selected expression.
  ///
  ///     let managerID = try row.decode(Int64?.self, forExpression: managers[Column("id")])
  ///
  /// - Throws: ``RowDecodingError`` when the expression was not selected, when several expressions
  ///   with the same SQL were selected, or when the value does not fit the type.
  public func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self,
    forExpression expression: SQLExpression
  ) throws -> Value {
    let result = expression.node.part.resultColumn
    return try scope(of: result).decode(type, forColumn: result.name)
  }

  private func scope(of column: ResultColumn) -> Row {
    column.table.flatMap { scopes[$0] } ?? self
  }
}

/// The position of an expression's value in a row.
private struct ResultColumn {
  var name: String
  /// The table that the expression belongs to.
  var table: String?
}

extension ExpressionPart {
  /// The position of the expression's value, if it is selected without an alias.
  fileprivate var resultColumn: ResultColumn {
    if let column = self as? ColumnReference { return ResultColumn(name: column.name) }
    if let json = self as? JSONText { return json.expression.part.resultColumn }
    if let owned = self as? OwnedExpression {
      var result = owned.expression.part.resultColumn
      if result.table == nil { result.table = owned.table.name }
      if owned.expression.part is ColumnReference { return result }
    }
    // SQLite names the column after its SQL. https://www.sqlite.org/c3ref/column_name.html
    var context = SQLContext()
    try? write(to: &context)
    return ResultColumn(name: context.sql)
  }
}
