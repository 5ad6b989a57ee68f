/// A value in an expression.
struct ValueExpression: ExpressionPart {
  let databaseValue: DatabaseValue

  var isOperand: Bool { true }
  func write(to context: inout SQLContext) throws {
    if context.values == .literal, let unstorable = databaseValue.unstorable {
      throw unstorable.error(in: "a definition")
    }
    context.append(value: databaseValue)
  }
}

extension DatabaseValueConvertible {
  /// The value as an expression, bound as an argument.
  ///
  ///     "O'Brien".sqlExpression
  ///     // 'O''Brien'
  public var sqlExpression: SQLExpression {
    SQLExpression(ValueExpression(databaseValue: databaseValue))
  }
}

extension Optional: SQLExpressible where Wrapped: DatabaseValueConvertible {}
extension Optional: TypedOperand where Wrapped: DatabaseValueConvertible {}

extension DatabaseValue: SQLSpecificExpressible, SQLCondition {
  /// The value as an expression, bound as an argument.
  public var sqlExpression: SQLExpression { SQLExpression(ValueExpression(databaseValue: self)) }
}

extension SQLExpression {
  /// `NULL`
  ///
  ///     Player.select { _ in SQLExpression.null }
  ///     // SELECT NULL FROM "player"
  public static let null = DatabaseValue.null.sqlExpression
}

extension ExpressionNode {
  /// The value, if the expression is a plain value.
  var value: DatabaseValue? { (part as? ValueExpression)?.databaseValue }
}

/// A piece of SQL where an expression is expected.
struct RawExpression: ExpressionPart {
  let sql: SQL

  // A request is one value here, also in a list: `IN (1, (SELECT …))`.
  var isOperand: Bool { sql.onlyRequest != nil }

  // The text may contain an aggregate.
  var isAggregate: Bool { sql.onlyRequest == nil }

  func write(to context: inout SQLContext) throws {
    if let request = sql.onlyRequest { return try request.write(to: &context) }
    try context.append(sql)
  }

  var operands: [ExpressionNode] {
    sql.elements.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
  }
}

/// A call of an SQL function: `LENGTH("name")`.
struct FunctionCall: ExpressionPart {
  /// The name, in quotes where SQLite needs them: see ``Swift/String/sqlWord``.
  let name: String
  var arguments: [ExpressionNode]
  var isDistinct = false
  var isAggregateFunction = false
  /// The condition on the rows that an aggregate sees; `nil` for all rows.
  var filter: ExpressionNode?
  /// The window of a window function; `nil` for other functions.
  var window: WindowClause?

  var isOperand: Bool { true }
  var operands: [ExpressionNode] { arguments }
  var isAggregate: Bool {
    isAggregateFunction && window == nil || operands.contains { $0.part.isAggregate }
      || window?.containsAggregate == true
  }

  func write(to context: inout SQLContext) throws {
    context.append(name)
    context.append(isDistinct ? "(DISTINCT " : "(")
    try arguments.writeList(to: &context)
    context.append(")")
    if let filter {
      context.append(" FILTER (WHERE ")
      try filter.write(to: &context)
      context.append(")")
    }
    try window?.write(to: &context)
  }
}

extension SQLExpression {
  /// Returns the call of a function that computes a value for each row.
  static func function(_ name: String, _ arguments: any SQLExpressible...) -> SQLExpression {
    function(name, arguments)
  }

  /// Returns the call of a function that computes a value for each row.
  static func function(_ name: String, _ arguments: [any SQLExpressible]) -> SQLExpression {
    SQLExpression(FunctionCall(name: name, arguments: arguments.map(\.node)))
  }
}

/// Whether an outer join found a row: `"id" IS NOT NULL`.
///
/// In a view without a key, all columns are compared:
/// `"a" IS NOT NULL OR "b" IS NOT NULL`.
struct RowExistence: NegatableExpression {
  var isNegated = false

  func write(to context: inout SQLContext) throws {
    guard let columns = try columns(&context) else {
      return context.append("<primary key>\(isNegated ? " IS NULL" : " IS NOT NULL")")
    }
    for (index, column) in columns.enumerated() {
      if index > 0 { context.append(isNegated ? " AND " : " OR ") }
      try context.append(column: column)
      context.append(isNegated ? " IS NULL" : " IS NOT NULL")
    }
  }

  /// The columns that are compared; `nil` without a schema.
  private func columns(_ context: inout SQLContext) throws -> [String]? {
    guard let db = context.db else { return nil }
    let table = try context.keyedTable
    guard let name = table.recordTableName else { return try table.columnNames(db) }
    let info = try db.tableInfo(name)
    guard info.hasKey else { return info.columns.map(\.name) }
    // Row ids that no column holds are out of reach where the join is in parentheses.
    return [info.primaryKey.columns[0]]
  }
}

/// A match of a pattern in a full-text table: `"document" MATCH 'sqlite'`.
struct TableMatch: ExpressionPart {
  let pattern: ExpressionNode

  func write(to context: inout SQLContext) throws {
    guard let table = context.mainTable else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "a pattern belongs to no table")
    }
    // The table has a hidden column with its own name, even under an alias.
    if context.tables.count > 1 || table.textName != table.tableName {
      context.append(table.qualifier)
    }
    context.append(identifier: table.tableName)
    context.append(" MATCH ")
    try pattern.writeOperand(to: &context)
  }
}
