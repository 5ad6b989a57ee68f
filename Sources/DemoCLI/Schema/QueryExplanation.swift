internal import CommandLineSupport
internal import Dispatch
internal import FoundationEssentials
internal import Storage
internal import WellspringSystem

/// The tables that an observation of a query reads, and the writes that wake it.
struct QueryExplanation {
  /// A table that the query reads.
  struct ReadTable: Equatable {
    let name: String
    /// The columns whose updates wake the observation.
    let columns: [String]
    /// The other columns.
    let otherColumns: [String]
    /// The conditions that rows must fulfil before or after a change; empty if any row wakes it.
    let conditions: [String]

    /// The rows that wake it, behind their table.
    fileprivate var rows: String {
      conditions.isEmpty ? "" : ", of rows with \(conditions.joined(separator: " or "))"
    }
  }

  let region: DatabaseRegion
  let statements: [String]
  let plan: [String]
  let tables: [ReadTable]
  /// The tables of the file that the query does not read.
  let otherTables: [String]
  /// Why its result could not be patched; `nil` if it could.
  let patchObstacle: String?
  /// Whether the changes of other processes' commits are known.
  let hasLog: Bool

  /// Observes the query until it has run once.
  ///
  /// - Throws: ``ToolError`` when the query fails.
  init(_ query: WatchedQuery, pool: DatabasePool, message: @escaping (any Error) -> String) throws {
    // No `Ending`: the command continues, and may have to wait for locks.
    // Guards the result of the first run.
    let first = Lock<Result<Void, any Error>?>(nil)
    let hasRun = DispatchSemaphore(value: 0)
    let end: @Sendable (Result<Void, any Error>) -> Void = { result in
      first.withLock { if $0 == nil { $0 = result } }
      hasRun.signal()
    }
    let observation = ValueObservation.tracking { db in
      try Suggestion.improvingErrors(db) { try query.fetch(db) }
    }
    .start(
      in: pool,
      onError: { end(.failure($0)) },
      onChange: { _ in end(.success(())) }
    )
    defer { observation.cancel() }
    hasRun.wait()
    if case .failure(let error) = first.withLock({ $0 }) {
      throw ToolError(message(ToolError(ErrorMessage.text(for: error))))
    }
    let explanation = observation.explain()
    let region = explanation?.region ?? .fullDatabase
    self.region = region
    statements = explanation?.statements ?? []
    (plan, tables, otherTables, patchObstacle, hasLog) = try pool.read { db in
      let plan = try Self.plan(query, db)
      let (sql, arguments) = try query.statement(db)
      let statement = try db.makeStatement(sql: sql)
      try statement.setArguments(arguments)
      let all = try Self.tables(db)
      return (
        plan,
        all.compactMap { Self.read($0.name, $0.columns, in: region) },
        all.filter { Self.read($0.name, $0.columns, in: region) == nil }.map(\.name),
        try statement.patchObstacle(),
        try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal"
      )
    }
  }

  private static func plan(_ query: WatchedQuery, _ db: Database) throws -> [String] {
    let (sql, arguments) = try query.statement(db)
    var depths: [Int64: Int] = [0: 0]
    return try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: arguments).map { row in
      let parent = try row.decode(Int64.self, forColumn: "parent")
      let depth = depths[parent] ?? 0
      depths[try row.decode(Int64.self, forColumn: "id")] = depth + 1
      let detail = try row.decode(String.self, forColumn: "detail")
      return String(repeating: "  ", count: depth) + detail
    }
  }

  private static func tables(_ db: Database) throws -> [(name: String, columns: [String])] {
    let names = try Row.fetchAll(
      db,
      sql: """
        SELECT name FROM pragma_table_list
        WHERE schema = 'main' AND type IN ('table', 'virtual')
          AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY name
        """
    ).compactMap { $0.schemaText("name") }
    return names.map { name in
      // SQLite cannot tell the columns of a virtual table whose module is missing.
      let columns = try? db.declaredColumns(of: name)
      return (name, columns?.map(\.name) ?? [])
    }
  }

  /// Returns the part of a table in a region; `nil` if the region has nothing of it.
  private static func read(
    _ table: String,
    _ columns: [String],
    in region: DatabaseRegion
  ) -> ReadTable? {
    let rows = region.intersection(DatabaseRegion(table: table, columns: []))
    guard !rows.isEmpty else { return nil }
    func isRead(_ column: String) -> Bool {
      region.intersection(DatabaseRegion(table: table, columns: [column])) != rows
    }
    return ReadTable(
      name: table,
      columns: columns.filter(isRead),
      otherColumns: columns.filter { !isRead($0) },
      conditions: region.conditions(onTable: table)
    )
  }
}

extension QueryExplanation {
  /// The explanation for people.
  var text: String {
    var lines = ["It reads", "  \(region)"]
    lines += ["", "with"]
    lines += statements.map { sql in
      "  " + sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    lines += ["", "planned by SQLite as"] + plan.map { "  \($0)" }
    lines += ["", "What wakes it"]
    for table in tables {
      lines.append("  an insertion into \(table.name), or a deletion from it\(table.rows)")
      if !table.columns.isEmpty {
        let columns = table.columns.joined(separator: ", ")
        lines.append("  an update of \(table.name) (\(columns))\(table.rows)")
      }
    }
    lines.append(
      hasLog
        ? "  a commit of another process that does one of these, or that cannot be read"
        : "  each commit of another process, because the file has no WAL that says what it changes"
    )
    lines.append("  a change of the schema")
    lines += ["", "What does not wake it"]
    for table in tables where !table.conditions.isEmpty {
      lines.append("  other rows of \(table.name), before and after their change")
    }
    for table in tables where !table.otherColumns.isEmpty {
      let columns = table.otherColumns.joined(separator: ", ")
      lines.append("  an update of only \(table.name) (\(columns))")
    }
    if !otherTables.isEmpty {
      lines.append("  writes of other tables (\(otherTables.joined(separator: ", ")))")
    }
    lines.append("  a rolled back transaction")
    lines += ["", "When it wakes"]
    if let patchObstacle {
      lines.append("  it is run again as a whole, because it \(patchObstacle)")
    } else {
      lines.append(
        "  only the rows that have changed are fetched, if it takes longer than a millisecond;"
      )
      lines.append("  otherwise it is run again as a whole")
    }
    lines.append("  an equal result is not shown")
    return lines.map { DisplayText.escaped($0) + "\n" }.joined()
  }
}
