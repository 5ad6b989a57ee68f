import Storage
import Testing

@testable import Replication

/// A copy that is not equal is noticed, and nothing of the transaction is kept.
@Suite struct DivergenceTests {
  @Test(arguments: [
    ("DELETE FROM t WHERE id = 1", "UPDATE t SET v = 5 WHERE id = 1"),
    ("DELETE FROM t WHERE id = 1", "DELETE FROM t WHERE id = 1"),
    ("INSERT INTO t VALUES (2, 2)", "INSERT INTO t VALUES (2, 3)"),
    ("INSERT INTO t VALUES (2, 3)", "INSERT INTO t VALUES (4, 3)"),
    ("DROP TABLE t", "INSERT INTO t VALUES (4, 3)"),
    ("ALTER TABLE t ADD COLUMN w", "INSERT INTO t VALUES (4, 3)"),
    ("CREATE TABLE n (x)", "CREATE TABLE n (y)"),
  ])
  func `a step that does not fit throws`(there: String, here: String) throws {
    let pair = try RecordedPair(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v UNIQUE ON CONFLICT REPLACE);"
        + "INSERT INTO t VALUES (1, 1)"
    )
    try pair.replica.writeWithoutTransaction { try $0.execute(sql: there) }
    let before = try pair.replica.read(DatabaseContent.init)
    try pair.primary.write { try $0.execute(sql: "CREATE TABLE other (x); " + here) }
    #expect(throws: Divergence.self) { try pair.repeatAll() }
    #expect(try pair.replica.read(DatabaseContent.init) == before)
  }

  @Test func `triggers, foreign keys and checks work again afterwards`() throws {
    let schema = """
      CREATE TABLE p (id INTEGER PRIMARY KEY, c CHECK (c > 0));
      CREATE TABLE c (p REFERENCES p);
      CREATE TRIGGER x AFTER INSERT ON p BEGIN INSERT INTO c VALUES (new.id); END;
      """
    let pair = try RecordedPair(schema)
    try pair.expectEqual(after: "INSERT INTO p VALUES (1, 1)")
    try pair.replica.write { db in
      #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO c VALUES (9)") }
      #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO p VALUES (2, 0)") }
      try db.execute(sql: "INSERT INTO p VALUES (2, 2)")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM c") == 2)
    }
  }
}
