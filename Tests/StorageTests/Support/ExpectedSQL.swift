import CWellspringSQLite
import Storage
import Testing

/// Checks the SQL of a statement, in which SQLite has replaced the parameters by the bound
/// arguments.
func expectSQL(
  _ statement: Statement,
  _ sql: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let expanded = sqlite3_expanded_sql(statement.sqliteStatement)
  defer { sqlite3_free(expanded) }
  #expect(expanded.map { String(cString: $0) } == sql, sourceLocation: sourceLocation)
}

/// Checks the SQL of an expression over the columns of `player`.
func expectSQL(
  _ expression: some SQLExpressible,
  _ sql: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try withLeague { db in
    let statement = try db.makeStatement(literal: "SELECT \(expression.sqlExpression) FROM player")
    expectSQL(statement, "SELECT \(sql) FROM player", sourceLocation: sourceLocation)
  }
}

/// Checks the SQL of an ordering over the columns of `player`.
func expectSQL(
  ordering: some SQLOrderingTerm,
  _ sql: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try withLeague { db in
    let statement = try db.makeStatement(
      literal: "SELECT * FROM player ORDER BY \(ordering.sqlOrdering)"
    )
    expectSQL(statement, "SELECT * FROM player ORDER BY \(sql)", sourceLocation: sourceLocation)
  }
}

/// Checks the SQL of a selection from the columns of `player`.
func expectSQL(
  selection: some SQLSelectable,
  _ sql: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try withLeague { db in
    let statement = try db.makeStatement(
      literal: "SELECT \(selection.sqlSelection) FROM player"
    )
    expectSQL(statement, "SELECT \(sql) FROM player", sourceLocation: sourceLocation)
  }
}

/// Checks the SQL of a request.
func expectSQL(
  request: some FetchRequest,
  _ sql: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try withLeague { db in
    expectSQL(
      try request.makePreparedRequest(db).statement,
      sql,
      sourceLocation: sourceLocation
    )
  }
}

/// Checks the last statement that the body runs, apart from pragmas, with its arguments.
func expectSQL(
  _ db: Database,
  _ sql: String,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) throws {
  let statements = try tracedStatements(db, body)
  #expect(statements.last { !$0.contains("PRAGMA") } == sql, sourceLocation: sourceLocation)
}

/// Checks the schema-changing statements that the body runs.
func expectDefinitions(
  _ db: Database,
  _ definitions: [String],
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) throws {
  let words = ["CREATE", "ALTER", "DROP", "REINDEX"]
  let statements = try tracedStatements(db, body).filter { statement in
    words.contains { statement.hasPrefix($0) }
  }
  #expect(statements == definitions, sourceLocation: sourceLocation)
}

/// Returns the statements that the body runs, with their arguments.
func tracedStatements(_ db: Database, _ body: () throws -> Void) throws -> [String] {
  let trace = Trace()
  let context = Unmanaged.passUnretained(trace).toOpaque()
  sqlite3_trace_v2(
    db.sqliteConnection,
    UInt32(SQLITE_TRACE_STMT),
    { _, context, statement, _ in
      let expanded = sqlite3_expanded_sql(OpaquePointer(statement))
      defer { sqlite3_free(expanded) }
      let trace = Unmanaged<Trace>.fromOpaque(context!).takeUnretainedValue()
      if let expanded { trace.statements.append(String(cString: expanded)) }
      return 0
    },
    context
  )
  defer { sqlite3_trace_v2(db.sqliteConnection, 0, nil, nil) }
  try body()
  return trace.statements
}

private final class Trace {
  var statements: [String] = []
}
