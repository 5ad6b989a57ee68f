import Foundation
import Storage
import TestSupport
import Testing

/// Statements that need a collation which the connection does not have.
@Suite struct MissingCollationTests {
  @Test(arguments: [
    "SELECT * FROM w", "SELECT count(*) FROM w", "SELECT DISTINCT a FROM t",
    "SELECT a FROM t ORDER BY a", "SELECT * FROM t WHERE a = 1", "SELECT max(a) FROM t",
    "INSERT INTO w VALUES ('b')", "INSERT INTO t VALUES ('b')", "UPDATE t SET a = 'c'",
    "DELETE FROM w WHERE a = 'a'", "REINDEX", "ANALYZE", "PRAGMA integrity_check",
    "CREATE INDEX j ON t (a COLLATE foo)",
  ])
  func `the error names the collation`(sql: String) throws {
    let directory = TemporaryDirectory()
    do {
      let queue = try DatabaseQueue(path: directory.file())
      try queue.write { db in
        db.add(collation: DatabaseCollation("foo") { $0 < $1 ? .orderedAscending : .orderedSame })
        try db.execute(
          sql: """
            CREATE TABLE w (a TEXT COLLATE foo PRIMARY KEY) WITHOUT ROWID;
            CREATE TABLE t (a TEXT COLLATE foo);
            CREATE INDEX i ON t (a);
            INSERT INTO w VALUES ('a');
            INSERT INTO t VALUES ('a')
            """
        )
      }
      try queue.close()
    }
    let queue = try DatabaseQueue(path: directory.file())
    let error = #expect(throws: DatabaseError.self) {
      try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    }
    #expect(error?.message?.contains("foo") == true, "\(error?.message ?? "")")
  }
}
