/// The definition of one column: `"email" TEXT NOT NULL UNIQUE`.
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
  /// How a NULL is handled; `nil` when NULL is allowed.
  var notNull: Database.ConflictResolution?
  /// Whether the Swift type of the column excludes NULL.
  var isNotOptional = false
  var unique: Database.ConflictResolution?
  var isIndexed = false
  var checks: [ExpressionNode] = []
  var defaultValue: Default?
  var collation: String?
  var references: [ForeignKeyClause] = []
  var generation: Generation?

  /// Whether the column is an alias of the row id when it alone is the primary key.
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
    if let defaultValue {
      if case .value(let value) = defaultValue, let unstorable = value.unstorable {
        throw unstorable.error(in: "the default of the column \(name)")
      }
      try defaultValue.write(to: &context)
    }
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
  /// Writes the clause ` DEFAULT 1`.
  fileprivate func write(to context: inout SQLContext) throws {
    context.append(" DEFAULT ")
    switch self {
    case .value(let value):
      context.append(value.sqlLiteral(in: .defaultValue))
    case .expression(let expression):
      context.append("(")
      try expression.write(to: &context)
      context.append(")")
    case .sql(let sql):
      context.append(sql)
    }
  }
}

extension ColumnClause {
  /// Describes a column for values of a Swift type.
  init<Value>(_ column: TypedColumn<Value>, default value: Value.Unwrapped?) {
    self.init(name: column.name, type: Value.databaseColumnType)
    // A `DatabaseValue` can be NULL without being optional.
    isNotOptional = Value.self == Value.Unwrapped.self && Value.self != DatabaseValue.self
    defaultValue = value.map { .value($0.databaseValue) }
  }
}

// MARK: - In a table

extension ColumnClause {
  /// Returns the column as written in a table, with its references resolved and with `NOT NULL`
  /// where the primary key needs it.
  func resolved(_ keys: ParentKeys, key: [String] = []) throws -> ColumnClause {
    var column = self
    let isInKey = key.contains { $0.asciiLowercased == name.asciiLowercased }
    if let primaryKey, primaryKey.isAutoincremented, !isInteger {
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: """
          AUTOINCREMENT requires an INTEGER PRIMARY KEY: the type of \(keys.table).\(name) is \
          \(type?.rawValue ?? "none")
          """
      )
    }
    // SQLite never stores NULL in a row id, but allows it in other primary keys unless they are
    // declared `NOT NULL`. https://www.sqlite.org/lang_createtable.html#the_primary_key
    let isRowID = isInKey && key.count == 1 && isInteger
    if notNull == nil, isInKey ? !isRowID : isNotOptional { column.notNull = .abort }
    column.references = try references.map { try $0.resolved(keys, from: [name]) }
    return column
  }

  /// Returns the index on the column, or `nil` when the column has none.
  func index(on table: String, options: IndexOptions) -> IndexDefinition? {
    guard isIndexed, unique == nil else { return nil }
    return IndexDefinition(constraintOn: table, columns: [name], options: options)
  }
}
