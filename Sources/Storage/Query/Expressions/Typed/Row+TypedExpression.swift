// Values of columns and expressions, in their own types.

extension Row {
  /// The value of a column, in the type of the column.
  ///
  ///     let email = row[Columns.email]  // String?
  ///
  /// - Precondition: There is such a column, and its value fits the type.
  public subscript<Value>(_ column: TypedColumn<Value>) -> Value { self[column.name] }

  /// Decodes the value of a column, in the type of the column.
  ///
  ///     let email = try row.decode(Columns.email)
  ///
  /// - Throws: ``RowDecodingError`` when there is no such column or several are, or when its value does
  ///   not fit.
  public func decode<Value>(_ column: TypedColumn<Value>) throws -> Value {
    try decode(Value.self, forColumn: column.name)
  }

  /// The value of an expression that was selected, in the type of the expression.
  ///
  ///     let sentence = name + " is " + cast(age, as: String.self)
  ///     let row = try Row.fetchOne(db, Player.select(sentence))!
  ///     row[sentence]  // String
  ///
  /// A column of a joined table is found in the scope of that table: `row[managers.id]`. Other expressions are
  /// found by their SQL, without its values: give expressions that differ in values only names of their own, with
  /// `forKey`.
  ///
  /// - Precondition: The expression was selected, and its value fits the type.
  public subscript<Value>(_ expression: TypedExpression<Value>) -> Value {
    self[expression.untyped]
  }

  /// Decodes the value of an expression that was selected, in the type of the expression.
  ///
  ///     let sentence = try row.decode(name + " is " + cast(age, as: String.self))
  ///
  /// - Throws: ``RowDecodingError`` when the expression was not selected, or several of its SQL were, or when
  ///   its value does not fit.
  public func decode<Value>(_ expression: TypedExpression<Value>) throws -> Value {
    try decode(Value.self, forExpression: expression.untyped)
  }

  /// The value of an expression that was selected.
  ///
  ///     let managerID: Int64? = row[managers[Column("id")]]
  ///
  /// - Precondition: The expression was selected, and its value fits the type: an `Optional` takes NULL.
  public subscript<Value: DatabaseValueConvertible>(_ expression: SQLExpression) -> Value {
    let place = expression.node.part.resultColumn
    return scope(of: place)[place.name]
  }

  /// Decodes the value of an expression that was selected.
  ///
  ///     let managerID = try row.decode(Int64?.self, forExpression: managers[Column("id")])
  ///
  /// - Throws: ``RowDecodingError`` when the expression was not selected, or several of its SQL were, or when
  ///   its value does not fit.
  public func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self,
    forExpression expression: SQLExpression
  ) throws -> Value {
    let place = expression.node.part.resultColumn
    return try scope(of: place).decode(type, forColumn: place.name)
  }

  private func scope(of column: ResultColumn) -> Row {
    column.table.flatMap { scopes[$0] } ?? self
  }
}

/// Where the value of an expression is in a row.
private struct ResultColumn {
  var name: String
  /// The table that the expression belongs to.
  var table: String?
}

extension ExpressionPart {
  /// Where SQLite puts the value of the expression, when it is selected without a name.
  fileprivate var resultColumn: ResultColumn {
    if let column = self as? ColumnReference { return ResultColumn(name: column.name) }
    if let owned = self as? OwnedExpression {
      var place = owned.expression.part.resultColumn
      if place.table == nil { place.table = owned.table.name }
      if owned.expression.part is ColumnReference { return place }
    }
    // SQLite names the column by its SQL. https://www.sqlite.org/c3ref/column_name.html
    var context = SQLContext()
    try? write(to: &context)
    return ResultColumn(name: context.sql)
  }
}
