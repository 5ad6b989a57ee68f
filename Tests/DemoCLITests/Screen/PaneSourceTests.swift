import Storage
import Testing

@testable import DemoCLI

/// The columns of results while a connection, with its compiled statements, stays open.
@Suite struct PaneSourceTests {
  /// Calls a body with a connection that stays open, outside a transaction, and with another one
  /// that writes.
  private func withConnections(
    to file: TestFile,
    _ body: (Database, DatabaseQueue) throws -> Void
  ) throws {
    let pool = try DatabasePool(path: file.path)
    let writer = try DatabaseQueue(path: file.path)
    try pool.unsafeRead { db in try body(db, writer) }
    try writer.close()
    try pool.close()
  }

  private func contents(_ fetch: inout PaneFetch, _ db: Database) throws -> PaneContents {
    try RowChangeReader.read(db) { position in
      try fetch.fetch(db, at: position, view: PaneView(), height: 4)
    }
  }

  private static let changes = [
    ("", ["id", "name"]), ("ALTER TABLE item ADD COLUMN price", ["id", "name", "price"]),
    ("ALTER TABLE item RENAME COLUMN name TO title", ["id", "title", "price"]),
    ("ALTER TABLE item DROP COLUMN title", ["id", "price"]),
    (
      """
      ALTER TABLE item RENAME TO other; CREATE TABLE item (a, b PRIMARY KEY) WITHOUT ROWID;
      INSERT INTO item SELECT price, id FROM other
      """,
      ["a", "b"]
    ),
  ]

  @Test(arguments: [3, 3_000], [WatchedQuery.table("item"), .sql("SELECT * FROM item")])
  func `the columns are the present ones after each change of the schema`(
    rows: Int,
    query: WatchedQuery
  ) async throws {
    let schema = """
      PRAGMA journal_mode = WAL;
      CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO item SELECT i, 'thing ' || i FROM n;
      """
    let file = try await TestFile(schema)
    try withConnections(to: file) { db, writer in
      var fetch = PaneFetch(query: query)
      for (sql, columns) in Self.changes {
        try writer.write { try $0.execute(sql: sql) }
        let contents = try contents(&fetch, db)
        #expect(contents.result.columns == columns, "\(sql)")
        #expect(contents.result.rows.allSatisfy { $0.count == columns.count }, "\(sql)")
        #expect(contents.count == rows, "\(sql)")
      }
    }
  }

  @Test func `a view that does not compile any more has no number of rows`() async throws {
    let schema = """
      PRAGMA journal_mode = WAL;
      CREATE TABLE item (a); CREATE VIEW shown AS SELECT a FROM item;
      """
    let file = try await TestFile(schema)
    try withConnections(to: file) { db, writer in
      var fetch = PaneFetch(query: .overview)
      var rows = try contents(&fetch, db).result.rows.map { $0.map(\.description) }
      #expect(rows.map(\.last) == ["0", "0"])
      try writer.write { try $0.execute(sql: "DROP TABLE item") }
      rows = try contents(&fetch, db).result.rows.map { $0.map(\.description) }
      #expect(rows.map(\.last) == ["NULL"])
    }
  }
}
