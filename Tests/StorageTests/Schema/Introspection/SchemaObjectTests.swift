import Storage
import Testing

@Suite struct SchemaObjectTests {
  @Test("A-063: what the schema holds")
  func objects() throws {
    try withParents { db in
      try db.execute(
        sql: """
          CREATE VIEW named AS SELECT name FROM users;
          CREATE INDEX byName ON users(name);
          CREATE TRIGGER t AFTER INSERT ON users BEGIN SELECT 1; END;
          CREATE TEMPORARY TRIGGER tt AFTER INSERT ON users BEGIN SELECT 1; END;
          """
      )
      try #expect(db.tableExists("USERS") && !db.tableExists("named") && !db.tableExists("x"))
      try #expect(db.viewExists("Named") && !db.viewExists("users"))
      try #expect(db.indexExists("BYNAME") && !db.indexExists("t"))
      try #expect(db.triggerExists("T") && db.triggerExists("tt", in: "temp"))
      try #expect(!db.triggerExists("tt", in: "main"))
      try #expect(db.triggers(on: "users").map(\.name) == ["t", "tt"])
      try #expect(
        db.schemaObjects(.table).map(\.name)
          == ["countries", "parents", "team", "users", "keyless"]
      )
      let view = try #require(try db.schemaObjects(.view).first)
      #expect(view.sql == "CREATE VIEW named AS SELECT name FROM users")
      let index = try #require(try db.schemaObjects(.index).first { $0.name == "byName" })
      #expect(index.tableName == "users")
      expectDatabaseError(.SQLITE_ERROR, "no such table: nothing") {
        _ = try db.indexes(on: "nothing")
      }
      expectDatabaseError(.SQLITE_ERROR, "no such table: nothing") {
        _ = try db.foreignKeys(on: "nothing")
      }
    }
  }

  @Test func `Tables of attached databases are found`() throws {
    let directory = TemporaryDirectory()
    try withParents { db in
      try db.attach(directory.file(), as: "other")
      try db.execute(
        sql:
          "CREATE TABLE other.users (a, b UNIQUE); CREATE TABLE other.own (x REFERENCES users(a))"
      )
      try #expect(db.columns(in: "users").count == 3)
      try #expect(db.columns(in: "users", in: "other").map(\.name) == ["a", "b"])
      try #expect(db.columns(in: "own").map(\.name) == ["x"])
      try #expect(db.tableExists("own") && !db.tableExists("own", in: "main"))
      try #expect(db.indexes(on: "users", in: "other").map(\.columns) == [["b"]])
      try #expect(db.foreignKeys(on: "own").map(\.destinationColumns) == [["a"]])
      expectDatabaseError(.SQLITE_ERROR, "no such table: other.team") {
        _ = try db.columns(in: "team", in: "other")
      }
      try db.execute(sql: "DROP TABLE other.own")
      try #expect(!db.tableExists("own"))
    }
  }

  @Test func `Foreign keys that name no column refer to the primary key`() throws {
    try withParents { db in
      try db.execute(
        sql: """
          CREATE TABLE child (a, b, u, z REFERENCES missing, FOREIGN KEY (a, b) REFERENCES parents,
            FOREIGN KEY (u) REFERENCES users ON UPDATE SET NULL)
          """
      )
      let keys = try db.foreignKeys(on: "child")
      #expect(keys.map(\.destinationTable) == ["users", "parents", "missing"])
      #expect(keys.map(\.destinationColumns) == [["id"], ["c", "d"], ["?"]])
      #expect(keys.map(\.onUpdate) == [.setNull, .noAction, .noAction])
    }
  }

  @Test func `A schema that another process has changed is looked up again`() throws {
    let shop = try Shop()
    try shop.pool.write { db in try #expect(db.columns(in: "item").count == 3) }
    try shop.pool.read { db in
      try #expect(db.columns(in: "item").count == 3)
      try #expect(db.indexes(on: "item").isEmpty)
      try #expect(!db.tableExists("extra"))
      try SQLiteShell.run(
        shop.path,
        """
        ALTER TABLE item ADD COLUMN size; CREATE INDEX bySize ON item(size);
        CREATE TABLE extra (a REFERENCES item);
        """
      )
      // As long as the snapshot lasts, nothing has changed.
      try #expect(db.columns(in: "item").count == 3)
    }
    let check: (Database) throws -> Void = { db in
      try #expect(db.columns(in: "item").map(\.name) == ["id", "name", "price", "size"])
      try #expect(db.indexes(on: "item").map(\.name) == ["bySize"])
      try #expect(db.foreignKeys(on: "extra").map(\.destinationTable) == ["item"])
    }
    try shop.pool.read(check)
    try shop.pool.write(check)
  }

  @Test("A-064: rows that refer to nothing")
  func foreignKeyViolations() throws {
    try withParents { db in
      try db.execute(
        sql: """
          CREATE TABLE player (id INTEGER PRIMARY KEY, teamId INTEGER REFERENCES team(id));
          CREATE TABLE pair (c TEXT, d INTEGER, FOREIGN KEY (c, d) REFERENCES parents(c, d));
          CREATE TABLE plain (k TEXT PRIMARY KEY, t REFERENCES team(id)) WITHOUT ROWID;
          """
      )
      try db.checkForeignKeys()
      try db.execute(
        sql: """
          PRAGMA foreign_keys = OFF;
          INSERT INTO player VALUES (3, 7), (4, NULL);
          INSERT INTO pair VALUES ('x', 1);
          INSERT INTO plain VALUES ('a', 9);
          """
      )
      let violations = try db.foreignKeyViolations().map(\.description).sorted()
      #expect(
        violations == [
          "pair(c, d): row 1 refers to parents(c, d) = ('x', 1), which does not exist",
          "plain(t): a row refers to team(id), which does not exist",
          "player(teamId): row 3 refers to team(id) = 7, which does not exist",
        ]
      )
      try #expect(db.foreignKeyViolations(in: "player").map(\.originRowID) == [3])
      try #expect(db.foreignKeyViolations(limit: 2).count == 2)
      expectDatabaseError(
        .SQLITE_CONSTRAINT_FOREIGNKEY,
        """
        FOREIGN KEY constraint failed: player(teamId): row 3 refers to team(id) = 7, which does not exist
        """
      ) {
        try db.checkForeignKeys(in: "PLAYER")
      }
      expectDatabaseError(.SQLITE_ERROR, "no such table: nothing") {
        try db.checkForeignKeys(in: "nothing")
      }
      try db.execute(sql: "DELETE FROM player; DELETE FROM pair; DELETE FROM plain")
      try db.checkForeignKeys()
    }
  }

  @Test func `Checks need no write access`() throws {
    let shop = try Shop()
    try shop.pool.read { db in
      try db.checkForeignKeys()
      try db.checkIntegrity()
      try db.checkIntegrity(in: "item")
    }
  }

  @Test("A-064: what is wrong with the file is told")
  func integrity() throws {
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
      expectDatabaseError(
        .SQLITE_CORRUPT,
        "the database is damaged: NULL value in t.a; NULL value in t.a"
      ) {
        try db.checkIntegrity()
      }
    }
  }
}
