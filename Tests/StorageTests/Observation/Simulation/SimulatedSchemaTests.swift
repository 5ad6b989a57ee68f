import Testing

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
}
