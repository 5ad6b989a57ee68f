internal import CommandLineSupport
internal import Storage

/// Reads the rows of a table in the order of their row ids, each row once.
struct TailReader {
  let table: WatchedTable
  let pool: DatabasePool
  /// The id of the last row that was read; `nil` before all rows.
  private(set) var last: Int64?
  /// Whether the table had rows up to ``last``. Before that, `last` is the id to wait for.
  private var hasReachedLast = false
  /// The number of the schema at the last read.
  private var schemaVersion: Int?
  /// Whether the last read has not found the table.
  private(set) var isMissing = false
  /// Whether the table was missing since rows were read.
  private var wasMissing = false

  /// The largest number of rows of one read, so that no read holds up a checkpoint for long.
  private static let pageSize = 1_000

  /// Creates a reader that starts after the row id `since`.
  init(table: WatchedTable, pool: DatabasePool, since: Int64?) {
    self.table = table
    self.pool = pool
    last = since
  }

  /// Moves to the position before all rows.
  mutating func restart() { last = nil }

  /// Notes that the rows could not be read, perhaps because the table does not exist now.
  mutating func noteProblem() {
    let exists = try? pool.watchingRead { try table.exists($0) }
    if exists == false { wasMissing = true }
  }

  /// A part of the rows.
  struct Page {
    let columns: [String]
    let rows: [[DatabaseValue]]
    /// Whether there may be more rows.
    let isFull: Bool
    /// Whether these are the first rows of a table that was made again.
    var isOfNewTable = false
  }

  /// Checks that the table exists and has row ids, and that the condition compiles.
  func check() throws {
    _ = try read { db in
      let source = table.name.quotedDatabaseIdentifier
      return try db.makeStatement(sql: "SELECT 1 FROM \(source)\(condition(db, after: nil))")
    }
  }

  /// Moves to the position before the last `count` rows.
  mutating func skip(allBut count: Int) throws {
    hasReachedLast = true
    last = try read { db in
      let condition = try condition(db, after: nil)
      return try Int64.fetchOne(
        db,
        sql: """
          SELECT rowid FROM \(table.name.quotedDatabaseIdentifier)\(condition)
          ORDER BY rowid DESC LIMIT 1 OFFSET ?
          """,
        arguments: [count]
      )
    }
  }

  /// Reads the next rows.
  ///
  /// All rows of a table that was dropped and made again are new ones. As far as can be seen, that
  /// is a table that was missing, or that ends earlier after a change of the schema.
  mutating func next() throws -> Page {
    var isMissing = false
    defer {
      self.isMissing = isMissing
      if isMissing { wasMissing = true }
    }
    let (page, newLast, version) = try read { db in
      isMissing = try !table.exists(db)
      // When the last rows are deleted, new ones get their ids.
      let highest = try Int64.fetchOne(
        db,
        sql: "SELECT max(rowid) FROM \(table.name.quotedDatabaseIdentifier)"
      )
      let version = try Int.fetchOne(db, sql: "PRAGMA schema_version")
      let isShorter = hasReachedLast && last != nil && highest ?? .min < last ?? .min
      let isNew =
        wasMissing || isShorter && schemaVersion != nil && version != schemaVersion
      let start = isNew ? nil : isShorter ? highest : last
      var (page, end) = try fetch(db, after: start)
      page.isOfNewTable = isNew
      let reachesLast = (highest ?? .min) >= start ?? .min
      return (page, (id: end ?? start, isReached: reachesLast), version)
    }
    schemaVersion = version
    wasMissing = false
    hasReachedLast = hasReachedLast || newLast.isReached
    last = newLast.id
    return page
  }

  private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try pool.watchingRead { db in try Suggestion.improvingErrors(db) { try body(db) } }
  }

  private func fetch(_ db: Database, after last: Int64?) throws -> (Page, Int64?) {
    let name = try Self.rowIDName(of: table.name, db)
    let selection = (name == nil ? "rowid, " : "") + table.options.selection
    let sql = """
      SELECT \(selection), rowid FROM \(table.name.quotedDatabaseIdentifier)\
      \(try condition(db, after: last)) ORDER BY rowid LIMIT \(Self.pageSize)
      """
    let result = try QueryPlan(sql: sql, keyCount: 1).fetch(db)
    let rows = Array(result.rows)
    let page = Page(columns: result.columns, rows: rows, isFull: rows.count == Self.pageSize)
    let last = rows.isEmpty ? nil : result.key(ofRow: rows.count - 1).first
    return (page, last.flatMap { Int64.fromDatabaseValue($0) })
  }

  /// Returns the clause for the rows after a row id. Throws if the table has no row ids.
  private func condition(_ db: Database, after last: Int64?) throws -> String {
    _ = try Self.rowIDName(of: table.name, db)
    _ = try table.sql(db)
    let conditions = [
      last.map { "rowid > \($0)" }, table.options.condition.map { "(\($0)\n)" },
    ]
    let text = conditions.compactMap(\.self).joined(separator: " AND ")
    return text.isEmpty ? "" : " WHERE \(text)"
  }

  /// Returns the name of the column that is the row id; `nil` if no column is.
  ///
  /// SQLite names the result `rowid` after the column that is the row id.
  ///
  /// - Throws: ``ToolError`` when the table does not exist or has no row ids.
  static func rowIDName(of table: String, _ db: Database) throws -> String? {
    let kind = try String.fetchOne(
      db,
      sql: """
        SELECT type || wr FROM pragma_table_list
        WHERE schema = 'main' AND lower(name) = lower(?)
        """,
      arguments: [table]
    )
    guard let kind else { throw try WatchedTable(name: table).missingTable(db) }
    guard kind == "table0" else {
      throw ToolError("\(table) has no row ids: only a table with row ids has a tail")
    }
    // A cached statement may still have the columns of another schema: it does not run.
    let statement = try db.makeStatement(
      sql: "SELECT rowid FROM \(table.quotedDatabaseIdentifier)"
    )
    return statement.columnNames.first == "rowid" ? nil : statement.columnNames.first
  }
}
