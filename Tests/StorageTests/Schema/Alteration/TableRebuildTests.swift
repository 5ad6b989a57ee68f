import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

@Suite struct TableRebuildTests {
  /// Runs a test with a table that has everything a rebuild must keep.
  private func withTeams(inTransaction: Bool, _ body: (Database) throws -> Void) throws {
    try DatabaseQueue().writeWithoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE team (id INTEGER PRIMARY KEY AUTOINCREMENT, full_name TEXT, score INTEGER);
          CREATE TABLE player (
            id INTEGER PRIMARY KEY,
            teamId INTEGER REFERENCES team(id) ON DELETE CASCADE
          );
          CREATE TABLE log (text TEXT);
          CREATE INDEX team_on_score ON team(score);
          CREATE UNIQUE INDEX top ON team(abs(score)) WHERE score > 10;
          CREATE TRIGGER scored AFTER UPDATE OF score ON team
            BEGIN INSERT INTO log VALUES (new.id || ': ' || new.score); END;
          CREATE TEMPORARY TRIGGER deleted AFTER DELETE ON team
            BEGIN INSERT INTO log VALUES (old.id || ' was deleted'); END;
          CREATE VIEW best AS SELECT id FROM team WHERE score > 10;
          INSERT INTO team VALUES (1, 'Reds', 10), (2, 'Blues', NULL), (9, 'Greens', 3);
          INSERT INTO player VALUES (1, 1), (2, 1), (3, 2);
          DELETE FROM team WHERE id = 9;
          DELETE FROM log;
          """
      )
      guard inTransaction else { return try body(db) }
      try db.inTransaction {
        try body(db)
        return .commit
      }
    }
  }

  private func rebuild(_ db: Database) throws {
    try db.rebuild(table: "team") { t in
      t.autoIncrementedPrimaryKey("id")
      t.column("name", .text).notNull().collate(.nocase)
      t.column("score", .integer).notNull().defaults(to: 0)
      t.column("color", .text).defaults(to: "none")
      t.copy("name", from: "full_name")
      t.copy("score", sql: "ifnull(score, ?)", arguments: [-1])
    }
  }

  @Test(arguments: [false, true])
  func `ALT-21: a rebuilt table keeps its rows, indexes, triggers and references`(
    inTransaction: Bool
  ) throws {
    try withTeams(inTransaction: inTransaction) { db in
      expectDatabaseError(
        .SQLITE_MISUSE,
        "a table is rebuilt in place: rebuild supports only the options strict and withoutRowID"
      ) { try db.rebuild(table: "team", options: .temporary) { _ in } }
      try rebuild(db)
      #expect(db.isInsideTransaction == inTransaction)
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM team").map(\.description)
      #expect(
        rows == [
          "[id:1 name:'Reds' score:10 color:'none']",
          "[id:2 name:'Blues' score:-1 color:'none']",
        ]
      )
      let columns = try db.columns(in: "team")
      #expect(columns.map(\.name) == ["id", "name", "score", "color"])
      #expect(columns.map(\.isNotNull) == [false, true, true, false])
      try #expect(Set(db.indexes(on: "team").map(\.name)) == ["team_on_score", "top"])
      try #expect(db.indexes(on: "team").first { $0.name == "top" }?.isPartial == true)
      try #expect(db.triggers(on: "team").map(\.name) == ["scored", "deleted"])
      // No player lost its team, and the next team gets a new id.
      try #expect(Int.fetchAll(db, sql: "SELECT teamId FROM player") == [1, 1, 2])
      try db.execute(sql: "INSERT INTO team (name) VALUES ('Greys')")
      #expect(db.lastInsertedRowID == 10)
      try db.execute(
        sql: "UPDATE team SET score = 20 WHERE id = 1; DELETE FROM team WHERE id = 2"
      )
      try #expect(String.fetchAll(db, sql: "SELECT text FROM log") == ["1: 20", "2 was deleted"])
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM best") == [1])
      try #expect(Int.fetchAll(db, sql: "SELECT teamId FROM player") == [1, 1])
      // Foreign keys are enforced as before.
      expectDatabaseError(.SQLITE_CONSTRAINT_FOREIGNKEY, "FOREIGN KEY constraint failed") {
        try db.execute(sql: "INSERT INTO player VALUES (4, 99)")
      }
      try #expect(Bool.fetchOne(db, sql: "PRAGMA legacy_alter_table") == false)
      try #expect(db.schemaObjects(.table).map(\.name) == ["player", "log", "team"])
      try db.checkIntegrity()
    }
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let message: String
    var code = ResultCode.SQLITE_ERROR
    let define: @Sendable (TableRebuild) -> Void
    var testDescription: String { message }
  }

  @Test(arguments: refusals)
  func `a rebuild that fails changes nothing`(_ refusal: Refusal) throws {
    try withTeams(inTransaction: false) { db in
      try db.execute(sql: "CREATE VIEW named AS SELECT full_name FROM team")
      let before = (
        try db.schemaObjects(), try Row.fetchAll(db, sql: "SELECT * FROM team")
      )
      expectDatabaseError(refusal.code, refusal.message) {
        try db.rebuild(table: "team", body: refusal.define)
      }
      try #expect(db.schemaObjects() == before.0)
      try #expect(Row.fetchAll(db, sql: "SELECT * FROM team") == before.1)
      try #expect(Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
      #expect(!db.isInsideTransaction)
    }
  }

  private static func defineOld(_ t: TableRebuild) {
    t.primaryKey("id", .integer)
    t.column("full_name", .text)
    t.column("score", .integer)
  }

  static let refusals = [
    Refusal(
      message:
        "a row of team does not fit its new definition: NOT NULL constraint failed: team.score",
      code: .SQLITE_CONSTRAINT_NOTNULL
    ) { t in
      t.primaryKey("id", .integer)
      t.column("full_name", .text)
      t.column("score", .integer).notNull()
    },
    Refusal(
      message: """
        the index team_on_score cannot be created on the new table team (no such column: score): drop \
        it before the rebuild
        """
    ) { t in
      t.primaryKey("id", .integer)
      t.column("full_name", .text)
    },
    Refusal(
      message: """
        the view named does not work with the new table (no such column: full_name): drop it before \
        the rebuild
        """
    ) { t in
      t.primaryKey("id", .integer)
      t.column("score", .integer)
    },
    Refusal(
      message:
        "FOREIGN KEY constraint failed: player(teamId): row 3 refers to team(id) = 2, which does not exist",
      code: .SQLITE_CONSTRAINT_FOREIGNKEY
    ) { t in
      defineOld(t)
      t.copy("id", sql: "CASE id WHEN 1 THEN 1 ELSE id + 100 END")
    },
    Refusal(message: "the new table team has no column nothing to copy to") { t in
      defineOld(t)
      t.copy("nothing", from: "score")
    },
    Refusal(message: "team.twice is generated: nothing can be copied to it") { t in
      defineOld(t)
      t.column("twice").generatedAs(Column("score") * 2)
      t.copy("twice", from: "score")
    },
    Refusal(message: "no such column: nothing") { t in
      defineOld(t)
      t.copy("score", from: "nothing")
    },
  ]

  @Test func `a rebuild that breaks a trigger of another table is refused`() throws {
    try withTeams(inTransaction: false) { db in
      try db.execute(
        sql: """
          DROP INDEX team_on_score; DROP INDEX top; DROP VIEW best; DROP TRIGGER scored;
          CREATE TRIGGER joined AFTER INSERT ON player
            BEGIN UPDATE team SET score = 1 WHERE id = new.teamId; END;
          """
      )
      expectDatabaseError(
        .SQLITE_ERROR,
        """
        a trigger of player does not work with the new table (no such column: score): drop it before \
        the rebuild
        """
      ) {
        try db.rebuild(table: "team") { t in
          t.primaryKey("id", .integer)
          t.column("full_name", .text)
        }
      }
    }
  }

  @Test func `hidden row ids are kept, and generated columns are computed`() throws {
    try withParents { db in
      try db.execute(
        sql: """
          CREATE TABLE note (text TEXT, size AS (length(text)));
          INSERT INTO note (rowid, text) VALUES (3, 'abc'), (7, 'defgh');
          """
      )
      try db.rebuild(table: "note", options: .strict) { t in
        t.column("text", .text).notNull()
        t.column("size", .integer).generatedAs(length(Column("text")), .stored)
      }
      let rows = try Row.fetchAll(db, sql: "SELECT rowid, * FROM note").map(\.description)
      #expect(rows == ["[rowid:3 text:'abc' size:3]", "[rowid:7 text:'defgh' size:5]"])
    }
  }

  @Test(arguments: [
    ("INTEGER PRIMARY KEY DESC", "[rowid:3 id:30]", "[rowid:7 id:70]"),
    ("INT PRIMARY KEY", "[rowid:3 id:30]", "[rowid:7 id:70]"),
  ])
  func `row ids are kept beside a key that is not the row id`(
    declaration: String,
    first: String,
    second: String
  ) throws {
    try withParents { db in
      try db.execute(
        sql: """
          CREATE TABLE note (id \(declaration));
          INSERT INTO note (rowid, id) VALUES (7, 70), (3, 30);
          """
      )
      try db.rebuild(table: "note") { t in t.column("id", .integer).unique() }
      let rows = try Row.fetchAll(db, sql: "SELECT rowid, id FROM note ORDER BY rowid")
      #expect(rows.map(\.description) == [first, second])
    }
  }

  @Test func `the ids of a table become its hidden row ids`() throws {
    try withParents { db in
      try db.execute(
        sql: """
          CREATE TABLE note (id INTEGER PRIMARY KEY, text);
          INSERT INTO note VALUES (7, 'b'), (3, 'a');
          """
      )
      try db.rebuild(table: "note") { t in t.column("text", .text) }
      let rows = try Row.fetchAll(db, sql: "SELECT rowid, text FROM note ORDER BY rowid")
      #expect(rows.map(\.description) == ["[rowid:3 text:'a']", "[rowid:7 text:'b']"])
    }
  }

  @Test func `a rebuilt table can become WITHOUT ROWID and refer to itself`() throws {
    try withParents { db in
      try db.execute(
        sql: """
          CREATE TABLE node (name TEXT UNIQUE, parent TEXT);
          INSERT INTO node VALUES ('b', 'a'), ('a', NULL);
          """
      )
      try db.rebuild(table: "node", options: .withoutRowID) { t in
        t.primaryKey("name", .text)
        t.column("parent", .text).references("node", onDelete: .cascade).indexed()
      }
      try #expect(db.foreignKeys(on: "node").map(\.destinationTable) == ["node"])
      try #expect(!db.primaryKey("node").tableHasRowID)
      try #expect(db.indexExists("node_on_parent"))
      try db.execute(sql: "DELETE FROM node WHERE name = 'a'")
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM node") == 0)
    }
  }

  @Test func `a temporary table is rebuilt as a temporary table`() throws {
    try withParents { db in
      try db.execute(
        sql: """
          CREATE TEMPORARY TABLE users (name TEXT);
          CREATE INDEX temp.byName ON users(name);
          CREATE TEMPORARY TRIGGER t AFTER INSERT ON users BEGIN DELETE FROM team; END;
          INSERT INTO users VALUES ('Arthur');
          """
      )
      try db.rebuild(table: "users") { t in
        t.column("name", .text).notNull()
        t.column("age", .integer)
      }
      try #expect(db.columns(in: "users", in: "temp").map(\.name) == ["name", "age"])
      try #expect(db.columns(in: "users", in: "main").map(\.name) == ["id", "email", "name"])
      try #expect(db.indexes(on: "users").map(\.name) == ["byName"])
      try #expect(db.triggerExists("t", in: "temp"))
      try #expect(String.fetchAll(db, sql: "SELECT name FROM users") == ["Arthur"])
    }
  }

  @Test func `views and virtual tables cannot be rebuilt`() throws {
    try withParents { db in
      try db.execute(sql: "CREATE VIEW v AS SELECT 1; CREATE VIRTUAL TABLE f USING fts5(a)")
      for name in ["v", "f"] {
        expectDatabaseError(
          .SQLITE_ERROR,
          "\(name) is not an ordinary table and cannot be rebuilt"
        ) {
          try db.rebuild(table: name) { t in t.column("a") }
        }
      }
      expectDatabaseError(.SQLITE_ERROR, "no such table: nothing") {
        try db.rebuild(table: "nothing") { t in t.column("a") }
      }
    }
  }

  @Test func `soak: a large table is rebuilt, and an interrupted rebuild loses nothing`()
    async throws
  {
    let count = Soak.size(1_000_000, inSuite: 10_000)
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try await pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT, score INTEGER, color TEXT);
          CREATE INDEX a ON team(name); CREATE INDEX b ON team(score, name);
          CREATE INDEX c ON team(color) WHERE score > 10;
          CREATE TABLE log (n INTEGER);
          CREATE TRIGGER t AFTER INSERT ON team BEGIN INSERT INTO log VALUES (new.id); END;
          CREATE TABLE player (id INTEGER PRIMARY KEY, teamId INTEGER REFERENCES team(id) ON DELETE CASCADE);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
          INSERT INTO team SELECT i, 'team ' || i, i % 100, NULL FROM n;
          INSERT INTO player SELECT id, id FROM team;
          DELETE FROM log;
          """
      )
    }
    let checksum = "SELECT count(*), sum(id), sum(score), sum(length(name)) FROM team"
    let before = try await pool.read { db in try Row.fetchOne(db, sql: checksum) }
    let rebuild: @Sendable (Database) throws -> Void = { db in
      try db.rebuild(table: "team", options: .strict) { t in
        t.primaryKey("id", .integer)
        t.column("score", .integer).notNull()
        t.column("name", .text).notNull()
        t.column("color", .text)
      }
    }
    // Interrupts a rebuild in the middle of a copy that would otherwise never end.
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await pool.write { db in
        db.add(
          function: DatabaseFunction("started", argumentCount: 0) { _ in
            continuation.yield()
            return 0
          }
        )
        try db.rebuild(table: "team") { t in
          t.primaryKey("id", .integer)
          t.column("score", .integer)
          t.column("name", .text)
          t.column("color", .text)
          t.copy(
            "score",
            sql: """
              CASE id WHEN \(count / 2) THEN started() WHEN \(count / 2 + 1) THEN (
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n
              ) ELSE score END
              """
          )
        }
      }
    }
    for await _ in started { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await #expect(pool.read { db in try Row.fetchOne(db, sql: checksum) } == before)
    try await pool.write(rebuild)
    try await pool.read { db in
      try #expect(Row.fetchOne(db, sql: checksum) == before)
      try #expect(Set(db.indexes(on: "team").map(\.name)) == ["a", "b", "c"])
      try #expect(db.triggers(on: "team").map(\.name) == ["t"])
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM player") == count)
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM log") == 0)
      try db.checkForeignKeys()
      try db.checkIntegrity()
    }
  }
}
