import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

@Suite struct SimulatedSchemaTests {
  @Test func `triggers reach a renamed table`() throws {
    let directory = TemporaryDirectory()
    try SQLiteShell.run(
      directory.file(),
      """
      CREATE TABLE t0 (id INTEGER PRIMARY KEY, k);
      CREATE TABLE t1 (id INTEGER PRIMARY KEY, k);
      CREATE TABLE t2 (id INTEGER PRIMARY KEY, k REFERENCES t1);
      CREATE TRIGGER g0 AFTER INSERT ON t0 BEGIN INSERT INTO t1 (k) VALUES (new.k); END;
      CREATE TRIGGER g1 AFTER INSERT ON t0 BEGIN DELETE FROM t1 WHERE k = new.k; END;
      """
    )
    let t0 = TableReference(name: "t0")
    func reached() throws -> Set<String> {
      let reference = try ReferenceConnection(path: directory.file())
      return Set(try SimulatedSchema(reference).reachBeyond(t0).map(\.name))
    }
    #expect(try reached() == ["t1", "t2"])
    try SQLiteShell.run(directory.file(), "ALTER TABLE t1 RENAME TO t9")
    #expect(try reached() == ["t9", "t2"])
  }

  @Test func `an associated query has one result in the library and in plain SQL`() throws {
    let directory = TemporaryDirectory()
    try SQLiteShell.run(
      directory.file(),
      """
      CREATE TABLE t0 (id INTEGER PRIMARY KEY, k INTEGER, s TEXT);
      CREATE TABLE t1 (k INTEGER, v);
      CREATE TABLE t2 (id INTEGER PRIMARY KEY, k INTEGER) WITHOUT ROWID;
      INSERT INTO t0 VALUES (1, 1, 'ant'), (2, 2, NULL), (3, 1, 'bee, eel'), (4, NULL, 'cat');
      INSERT INTO t1 VALUES (1, 10), (1, 'it''s'), (2, x'0102'), (3, 30), (NULL, 40), (1, 1.5);
      INSERT INTO t2 VALUES (1, 1), (2, 1), (3, 2);
      """
    )
    let reference = try ReferenceConnection(path: directory.file())
    let schema = try SimulatedSchema(reference)
    let queue = try DatabaseQueue(path: directory.file())
    for key in ["k", "id"] {
      var results: Set<[String]> = []
      for kind: AssociatedQuery.Kind in [.all, .limited(2), .through("t2"), .required, .optional] {
        let query = AssociatedQuery(
          kind: kind,
          parent: try #require(schema.table("t0")),
          child: try #require(schema.table("t1")),
          parentColumn: "s",
          childColumn: "v",
          parentKey: key
        )
        let rows = try queue.read { db in try db.rows(query) }
        #expect(rows == (try reference.rows(query)), "\(query.description)")
        results.insert(rows)
      }
      #expect(results.count == 5)
    }
    try SQLiteShell.run(directory.file(), "ALTER TABLE t1 RENAME COLUMN k TO n")
    let query = AssociatedQuery(
      kind: .all,
      parent: try #require(schema.table("t0")),
      child: try #require(schema.table("t1")),
      parentColumn: "s",
      childColumn: "v"
    )
    #expect(throws: MissingTables.self) { try queue.read { db in try db.rows(query) } }
    #expect(throws: MissingTables.self) { try reference.rows(query) }
  }
}
