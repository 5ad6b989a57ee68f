import CWellspringSQLite
import Storage
import Testing

/// A way to change a database, and a query that shows the change.
struct ChangeKind: Sendable, CustomTestStringConvertible {
  enum Change: Sendable, ExpressibleByStringLiteral {
    case sql(String)
    /// An incremental write of one byte.
    case blob(schema: String = "main", table: String, column: String, row: Int64)
    /// Applies the changeset that was recorded in another database while this SQL ran.
    case changeset(String)

    init(stringLiteral sql: String) { self = .sql(sql) }
  }

  let name: String
  /// SQL that runs after the common schema is created.
  var schema = ""
  /// The schema of a file to attach as `aux`; `nil` to attach no file.
  var attached: String?
  let query: String
  let change: Change

  var testDescription: String { name }

  /// The SQL of the change; `nil` if the change is not made by SQL.
  var sql: String? { if case .sql(let sql) = change { sql } else { nil } }

  static let all =
    rows + withoutRowID + reaching + generatedColumns + virtualTables + schemas + attachedDatabases
  static let ofSQL = all.filter { $0.sql != nil }

  func createTables(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a, b);
        INSERT INTO t VALUES (1, 'one', 1), (2, 'two', 2);
        \(schema)
        """
    )
  }

  /// Applies the change.
  func apply(_ db: Database) throws {
    switch change {
    case .sql(let sql): try db.execute(sql: sql)
    case .blob(let schema, let table, let column, let row):
      var blob: OpaquePointer?
      let opened = sqlite3_blob_open(db.sqliteConnection, schema, table, column, row, 1, &blob)
      #expect(opened == SQLITE_OK)
      #expect(sqlite3_blob_write(blob, "A", 1, 0) == SQLITE_OK)
      #expect(sqlite3_blob_close(blob) == SQLITE_OK)
    case .changeset(let sql):
      let source = try DatabaseQueue()
      let changeset = try source.write { other in
        try createTables(other)
        return try other.recordChangeset { try other.execute(sql: sql) }
      }
      try db.apply(changeset: changeset)
    }
  }
}
