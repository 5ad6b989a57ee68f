import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct StatementEffectsTests {
  private let item = TableName(schema: "main", name: "item")

  @Test func `the columns of a query are reads, with names in lower case`() throws {
    try withDatabase { db in
      let effects = try db.effects(of: "SELECT NAME FROM Item WHERE ID = 1")
      #expect(effects.reads == [item: ["name", "id"]])
      #expect(effects.writes.isEmpty && !effects.isSpecial)
      // SQLite does not report the schema of a table without columns.
      let count = try db.effects(of: "SELECT count(*) FROM item")
      #expect(count.readsInUnknownSchema == ["item"])
    }
  }

  @Test func `the writes of triggers are writes of the statement`() throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE log (Price);
          CREATE TRIGGER t AFTER DELETE ON item BEGIN UPDATE log SET price = old.price; END;
          """
      )
      let effects = try db.effects(of: "DELETE FROM item")
      let log = TableName(schema: "main", name: "log")
      #expect(effects.writes == [item, log])
      #expect(effects.updates == [log: ["Price"]])
    }
  }

  @Test(
    arguments: [
      ("SELECT 1", false), ("INSERT INTO item VALUES (1, 'cup', 4)", false), ("BEGIN", true),
      ("ROLLBACK", true), ("SAVEPOINT a", true), ("CREATE TABLE t (a)", true),
      ("ATTACH ':memory:' AS a", true), ("PRAGMA user_version", false),
      ("PRAGMA user_version = 3", true), ("EXPLAIN CREATE TABLE t (a)", false),
      // SQLite may run a pragma while it compiles it.
      ("EXPLAIN PRAGMA user_version = 3", true),
    ]
  )
  func `statements that SQLite's hooks do not report are special`(
    sql: String,
    isSpecial: Bool
  ) throws {
    try withDatabase { db throws in
      #expect(try db.effects(of: sql).isSpecial == isSpecial)
    }
  }

  @Test func `savepoints are known by their names in lower case`() throws {
    try withDatabase { db throws in
      #expect(try db.effects(of: "SAVEPOINT A").savepoint == .begin("a"))
      #expect(try db.effects(of: "RELEASE A").savepoint == .release("a"))
      #expect(try db.effects(of: "ROLLBACK TO A").savepoint == .rollback("a"))
      #expect(try db.effects(of: "ROLLBACK").rollsBack)
    }
  }

  @Test func `a pragma that SQLite counts as a write may only read`() throws {
    try withDatabase { db throws in
      let reading = try db.makeStatement(sql: "PRAGMA journal_mode")
      #expect(!reading.isReadonly && reading.effects.onlyReadsPragma)
      let writing = try db.makeStatement(sql: "PRAGMA journal_mode = memory")
      #expect(!writing.effects.onlyReadsPragma)
    }
  }
}
