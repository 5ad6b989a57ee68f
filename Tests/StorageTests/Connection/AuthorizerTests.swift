import CWellspringSQLite
@testable import Storage
import Testing

@Suite struct AuthorizerTests {
  // After a schema change through the raw handle, names may mean something else in each
  // transaction, so transactions cost more from then on.
  @Test func `a schema change through the raw handle is distinguished from one of the library`()
    throws
  {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      for sql in [
        "CREATE VIRTUAL TABLE f USING fts5(x)", "CREATE VIRTUAL TABLE r USING rtree(id, x0, x1)",
        "INSERT INTO f VALUES ('cup')", "ALTER TABLE f RENAME TO g", "DROP TABLE g", "VACUUM",
        "CREATE TABLE t (a)", "ALTER TABLE t ADD COLUMN b", "PRAGMA user_version = 3", "REINDEX",
        "ANALYZE",
      ] {
        try db.execute(sql: sql)
        #expect(!db.authorizer.sawForeignHeaderChange, "\(sql)")
      }
      #expect(sqlite3_exec(db.sqliteConnection, "CREATE TABLE u (a)", nil, nil, nil) == SQLITE_OK)
      #expect(db.authorizer.sawForeignHeaderChange)
    }
  }
}
