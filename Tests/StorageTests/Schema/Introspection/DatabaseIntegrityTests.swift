import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseIntegrityTests {
  @Test func `A-064: damage of the file is reported`() throws {
    try withParents { db in
      try #expect(db.integrityViolations().isEmpty)
      try db.execute(
        sql: """
          CREATE TABLE t (a INTEGER);
          INSERT INTO t VALUES (NULL), (NULL), (1);
          PRAGMA writable_schema = ON;
          UPDATE sqlite_master SET sql = 'CREATE TABLE t (a INTEGER NOT NULL)' WHERE name = 't';
          PRAGMA writable_schema = RESET;
          """
      )
      try #expect(
        db.integrityViolations(in: "t") == ["NULL value in t.a", "NULL value in t.a"]
      )
      try #expect(db.integrityViolations(limit: 1).count == 1)
      expectDatabaseError(.SQLITE_MISUSE, "the limit of integrityViolations must be at least 1") {
        _ = try db.integrityViolations(limit: 0)
      }
      expectDatabaseError(
        .SQLITE_CORRUPT,
        "the database is damaged: NULL value in t.a; NULL value in t.a"
      ) {
        try db.checkIntegrity()
      }
    }
  }

  @Test func `checks need no write access`() throws {
    let shop = try Shop()
    try shop.pool.read { db in
      try db.checkForeignKeys()
      try db.checkIntegrity()
      try db.checkIntegrity(in: "item")
    }
  }
}
