/// `"email" TEXT NOT NULL UNIQUE`: the definition of one column.
struct ColumnClause {
  struct PrimaryKey {
    var onConflict: Database.ConflictResolution?
    var isAutoincremented = false
  }

  struct Generation {
    let expression: ExpressionNode
    let qualification: ColumnDefinition.GeneratedColumnQualification
  }

  enum Default {
    case value(DatabaseValue)
    case expression(ExpressionNode)
    case sql(String)
  }

  let name: String
  var type: Database.ColumnType?
  var primaryKey: PrimaryKey?
  /// What happens with NULL; `nil` when it is allowed.
  var notNull: Database.ConflictResolution?
  /// Whether the Swift type of the column has no NULL.
  var isNotOptional = false
  var unique: Database.ConflictResolution?
  var isIndexed = false
  var checks: [ExpressionNode] = []
  var defaultValue: Default?
  var collation: String?
  var references: [ForeignKeyClause] = []
  var generation: Generation?

  /// Whether the column is another name of the row id, when it is the primary key of its own.
  var isInteger: Bool { type?.rawValue.asciiLowercased == "integer" }

  /// Writes the definition.
  func write(to context: inout SQLContext) throws {
    context.append(identifier: name)
    if let type { context.append(" \(type.rawValue)") }
    if let primaryKey {
      context.append(" PRIMARY KEY\(primaryKey.onConflict.clause)")
      if primaryKey.isAutoincremented { context.append(" AUTOINCREMENT") }
    }
    if let notNull { context.append(" NOT NULL\(notNull.clause)") }
    if let unique { context.append(" UNIQUE\(unique.clause)") }
    for check in checks {
      context.append(" CHECK (")
      try check.write(to: &context)
      context.append(")")
    }
    if let defaultValue { try defaultValue.write(to: &context) }
    if let collation { context.append(" COLLATE \(collation.sqlWord)") }
    for reference in references {
      context.append(" ")
      reference.write(to: &context)
    }
    if let generation {
      context.append(" GENERATED ALWAYS AS (")
      try generation.expression.write(to: &context)
      context.append(") \(generation.qualification.rawValue)")
    }
  }
}

extension ColumnClause.Default {
  /// ` DEFAULT 1`
  fileprivate func write(to context: inout SQLContext) throws {
    context.append(" DEFAULT ")
    switch self {
    case .value(let value):
      let literal = value.sqlLiteral
      // What is no plain literal must be in parentheses.
      context.append(literal.hasPrefix("CAST") ? "(\(literal))" : literal)
    case .expression(let expression):
      context.append("(")
      try expression.write(to: &context)
      context.append(")")
    case .sql(let sql):
      context.append(sql)
    }
  }
}

// MARK: - In a table

extension ColumnClause {
  /// The column as it stands in a table, with the columns that it refers to.
  func resolved(_ keys: ParentKeys, key: [String] = []) throws -> ColumnClause {
    var column = self
    let isInKey = key.contains { $0.asciiLowercased == name.asciiLowercased }
    if let primaryKey, primaryKey.isAutoincremented, !isInteger {
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: """
          AUTOINCREMENT is for an INTEGER PRIMARY KEY: the type of \(keys.table).\(name) is \
          \(type?.rawValue ?? "none")
          """
      )
    }
    // SQLite never stores NULL in a row id, but does so in other primary keys unless it is told.
    // https://www.sqlite.org/lang_createtable.html#the_primary_key
    let isRowID = isInKey && key.count == 1 && isInteger
    if notNull == nil, isInKey ? !isRowID : isNotOptional { column.notNull = .abort }
    column.references = try references.map { try $0.resolved(keys, from: [name]) }
    return column
  }

  /// The index that goes with the column.
  func index(on table: String, options: IndexOptions) -> IndexDefinition? {
    guard isIndexed, unique == nil else { return nil }
    return IndexDefinition(constraintOn: table, columns: [name], options: options)
  }
}
