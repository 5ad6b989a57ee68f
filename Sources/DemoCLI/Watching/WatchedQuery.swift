internal import CommandLineSupport
internal import Storage

/// The query to watch.
enum WatchedQuery: Equatable, Sendable {
  /// The rows of a table or a view.
  case table(String, TableOptions = TableOptions())
  /// The result of one statement that only reads. `key` names the columns that identify a row.
  case sql(String, SQLArguments = SQLArguments(), key: [String]? = nil)
  /// The tables and views of the file with their numbers of rows.
  case overview

  /// The last row id of a table, which changes when a row is inserted at the end.
  static func lastRowID(of table: String) -> WatchedQuery {
    .sql("SELECT max(rowid) FROM \(table.quotedDatabaseIdentifier)")
  }

  /// The options of the command line that ``init(_:_:)`` reads.
  static let syntax =
    ArgumentSyntax(options: ["sql", "key"], lists: ["arg"]) + TableOptions.syntax

  /// Reads the query from a command line: a table with its options, or `--sql` with arguments.
  ///
  /// - Throws: ``UsageError`` when there is no query or more than one.
  init(table: String?, _ arguments: ParsedArguments, command: String) throws {
    let values = try SQLArguments(arguments.lists["arg"] ?? [])
    let key = try arguments.values["key"].map { try TableOptions.names($0, option: "key") }
    switch (table, arguments.values["sql"]) {
    case (let table?, nil):
      if !(arguments.lists["arg"] ?? []).isEmpty {
        throw UsageError("--arg is for SQL: write the value into --where")
      }
      var options = try TableOptions(arguments)
      options.key = key
      self = .table(table, options)
    case (nil, let sql?):
      if let option = TableOptions.syntax.options.sorted().first(where: {
        arguments.values[$0] != nil
      }) {
        throw UsageError("--\(option) needs a TABLE")
      }
      self = .sql(sql, values, key: key)
    case (nil, nil):
      throw UsageError("\(command) needs a TABLE or --sql")
    default:
      throw UsageError("\(command) takes a TABLE or --sql, not both")
    }
  }

  /// Reads the query from a command line, where SQL can stand in the place of a table.
  ///
  /// - Throws: ``UsageError`` when there is no query or more than one.
  init(text: String?, _ arguments: ParsedArguments, command: String) throws {
    guard let text, Self.isSQL(text), arguments.values["sql"] == nil else {
      try self.init(table: text, arguments, command: command)
      return
    }
    var arguments = arguments
    arguments.add(text, of: "sql")
    try self.init(table: nil, arguments, command: command)
  }

  /// Returns whether a text in the place of a table is a statement.
  static func isSQL(_ text: String) -> Bool {
    let words = text.split { $0.isWhitespace || $0 == "(" || $0 == "*" }.map { $0.lowercased() }
    guard let first = words.first, text.count > first.count else { return false }
    if ["select", "with", "values", "pragma", "explain"].contains(first) { return true }
    if text.drop(while: \.isWhitespace).hasPrefix("/*") { return true }
    // Statements that write are refused as such. A table may have a name of two words.
    return switch first {
    case "delete": words[1...].first == "from"
    case "insert", "replace": ["into", "or"].contains(words[1...].first)
    case "update": words.count > 3 && words.contains("set")
    case "alter", "create", "drop":
      words.count > 2
        && ["index", "table", "temp", "trigger", "unique", "view", "virtual"].contains(words[1])
    default: false
    }
  }

  /// Returns the name of the first table that the query needs and the file does not have.
  ///
  /// Other errors of a statement are reported when it runs.
  func missingTable(_ db: Database) throws -> String? {
    switch self {
    case .overview: return nil
    case .table(let name, _): return try WatchedTable(name: name).exists(db) ? nil : name
    case .sql(let sql, _, _):
      do {
        _ = try db.makeStatement(sql: sql)
        return nil
      } catch let error as DatabaseError {
        return Suggestion.missingTable(error)
      }
    }
  }

  /// Checks that a command that needs tables gets no statement.
  static func checkAreTables(_ tables: some Sequence<String>, command: String) throws {
    guard tables.contains(where: isSQL) else { return }
    throw UsageError("\(command) needs tables: watch, exec, query and explain take SQL")
  }

  /// Reads queries from a command line: tables and values of `--sql`. The other options need a
  /// single query.
  ///
  /// - Throws: ``UsageError`` when there is no query.
  static func several(
    tables: some Collection<String>,
    _ arguments: ParsedArguments
  ) throws -> [WatchedQuery] {
    let statements = tables.filter(isSQL) + (arguments.lists["sql"] ?? [])
    let tables = tables.filter { !isSQL($0) }
    if tables.isEmpty, statements.isEmpty {
      let single = TableOptions.syntax.options.union(["key"]).filter { arguments.values[$0] != nil }
      let lists = arguments.lists["arg"] == nil ? [] : ["arg"]
      if let option = (single + lists).sorted().first {
        throw UsageError("--\(option) needs a TABLE or --sql")
      }
      return [.overview]
    }
    guard tables.count + statements.count > 1 else {
      var arguments = arguments
      if let sql = statements.first { arguments.add(sql, of: "sql") }
      return [try WatchedQuery(table: tables.first, arguments, command: "watch")]
    }
    let single = (TableOptions.syntax.options.union(["key"])).filter { arguments.values[$0] != nil }
    let lists = arguments.lists["arg"] == nil ? [] : ["arg"]
    if let option = (single + lists).sorted().first {
      throw UsageError("--\(option) needs a single query")
    }
    return tables.map { .table($0) } + statements.map { .sql($0) }
  }

  /// The query on one line.
  var title: String {
    switch self {
    case .table(let name, let options):
      name + options.clauses.split(whereSeparator: \.isWhitespace).map { " " + $0 }.joined()
    case .sql(let sql, _, _):
      sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    case .overview: "overview"
    }
  }

  /// Returns the SQL and the arguments, without the keys of rows.
  ///
  /// - Throws: ``ToolError`` when the table or a parameter does not exist.
  func statement(_ db: Database) throws -> (sql: String, arguments: StatementArguments) {
    switch self {
    case .table(let name, let options):
      (try WatchedTable(name: name, options: options).sql(db), [])
    case .sql(let sql, let arguments, _):
      (sql, try arguments.statementArguments(for: sql, db))
    case .overview: (try FileOverview.plan(db).sql, [])
    }
  }

  /// Returns the statement with how its rows are identified.
  ///
  /// - Throws: ``ToolError`` when the table or a parameter does not exist.
  func plan(_ db: Database) throws -> QueryPlan {
    switch self {
    case .table(let name, let options):
      try WatchedTable(name: name, options: options).plan(db)
    case .sql(let sql, let arguments, let key):
      QueryPlan(
        sql: sql,
        arguments: try arguments.statementArguments(for: sql, db),
        keyNames: key
      )
    case .overview: try FileOverview.plan(db)
    }
  }

  /// The name of the table, if it is one.
  var table: String? {
    if case .table(let name, _) = self { name } else { nil }
  }

  /// Fetches the result. Rows, columns and keys are from one state of the database.
  ///
  /// - Throws: `DatabaseError`, or ``ToolError`` if the table does not exist or the statement
  ///   cannot be watched.
  func fetch(_ db: Database) throws -> WatchedResult {
    try plan(db).fetch(db)
  }

  /// Checks that a statement reads, and returns rows.
  static func check(_ statement: Statement) throws {
    guard statement.isReadonly else { throw ToolError(ErrorMessage.writes) }
    guard !statement.columnNames.isEmpty else {
      throw ToolError("the statement returns no rows: only a statement that does is allowed")
    }
  }
}
