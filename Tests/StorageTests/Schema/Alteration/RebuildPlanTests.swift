import CWellspringSQLite
import Testing

@testable import Storage
@testable import StorageTestSupport

/// The steps of a rebuild, without the savepoint around them. ``TableRebuildTests`` checks whole
/// rebuilds.
@Suite struct RebuildPlanTests {
  /// Runs a test with the table `Team`, two of whose three rows are left.
  private func withTeam(_ body: (Database) throws -> Void) throws {
    try withDatabase { db throws in
      try db.execute(
        sql: """
          DROP TABLE item;
          CREATE TABLE Team (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, score INTEGER);
          INSERT INTO Team VALUES (1, 'Reds', 10), (2, 'Blues', NULL), (5, 'Greens', 3);
          DELETE FROM Team WHERE id = 5;
          """
      )
      try body(db)
    }
  }

  /// Plans the rebuild of a table, and runs the plan in a transaction.
  private func rebuild(
    _ name: String,
    _ db: Database,
    options: TableOptions = [],
    _ define: (TableRebuild) -> Void
  ) throws {
    let definition = TableRebuild(name: name, options: options)
    define(definition)
    let plan = try RebuildPlan(definition, db)
    try db.inTransaction {
      try plan.run()
      return .commit
    }
  }

  /// Defines the columns of `Team` that all of its rows fit.
  private static func defineTeam(_ t: TableRebuild) {
    t.primaryKey("id", .integer)
    t.column("name", .text)
  }

  private func rows(_ sql: String, _ db: Database) throws -> [String] {
    try Row.fetchAll(db, sql: sql).map(\.description)
  }

  // MARK: The plan

  @Test func `a plan changes nothing before it runs`() throws {
    try withTeam { db throws in
      let (objects, changes) = (try db.schemaObjects(), db.totalChangesCount)
      let definition = TableRebuild(name: "Team", options: [])
      Self.defineTeam(definition)
      let plan = try RebuildPlan(definition, db)
      #expect(try db.schemaObjects() == objects)
      #expect(db.totalChangesCount == changes)
      try db.inTransaction {
        try plan.run()
        return .commit
      }
      #expect(try db.schemaObjects() != objects)
    }
  }

  private static let refusals: [(setUp: String, name: String, message: String)] = [
    (
      "CREATE VIEW Best AS SELECT id FROM Team", "best",
      "best is not an ordinary table and cannot be rebuilt"
    ),
    (
      "CREATE VIRTUAL TABLE words USING fts5(text)", "words_content",
      "words_content is not an ordinary table and cannot be rebuilt"
    ),
    (
      "CREATE TABLE other (a)", "sqlite_sequence",
      "sqlite_sequence is not an ordinary table and cannot be rebuilt"
    ),
    (
      "ATTACH ':memory:' AS aside; CREATE TABLE aside.note (a)", "NOTE",
      "aside.note cannot be rebuilt: open its file as a separate database"
    ),
    ("CREATE TABLE other (a)", "nothing", "no such table: nothing"),
  ]

  @Test(arguments: refusals)
  func `only ordinary tables of the file, and temporary ones, have plans`(
    setUp: String,
    name: String,
    message: String
  ) throws {
    try withTeam { db throws in
      try db.execute(sql: setUp)
      let definition = TableRebuild(name: name, options: [])
      Self.defineTeam(definition)
      expectDatabaseError(.SQLITE_ERROR, message) { _ = try RebuildPlan(definition, db) }
    }
  }

  @Test func `a table with a trigger that is not valid UTF-8 has no plan`() throws {
    try withTeam { db throws in
      let start = Array("CREATE TRIGGER odd AFTER INSERT ON Team BEGIN SELECT '".utf8)
      let sql: [UInt8] = start + [0xFF] + Array("'; END".utf8) + [0]
      let text = sql.map { CChar(bitPattern: $0) }
      let code = sqlite3_exec(db.sqliteConnection, text, nil, nil, nil)
      #expect(code == SQLITE_OK)
      let message = """
        the trigger odd has text that is not valid UTF-8, and cannot be made again: drop it before \
        the rebuild
        """
      expectDatabaseError(.SQLITE_ERROR, message) { try rebuild("Team", db, Self.defineTeam) }
      try db.execute(sql: "DROP TRIGGER odd")
      try rebuild("Team", db, Self.defineTeam)
    }
  }

  // MARK: Names

  @Test(arguments: ["Team", "team", "TEAM"])
  func `the table keeps its name as the schema spells it`(name: String) throws {
    try withTeam { db throws in
      try rebuild(name, db, Self.defineTeam)
      #expect(try db.schemaObjects(.table).map(\.name) == ["Team"])
      let error = #expect(throws: DatabaseError.self) {
        try rebuild(name, db) { t in t.column("name", .text).check(sql: "name <> 'Blues'") }
      }
      #expect(error?.message?.hasPrefix("a row of Team does not fit its new definition") == true)
    }
  }

  @Test(arguments: [
    "CREATE TABLE new_team (a)",
    "CREATE VIEW NEW_TEAM AS SELECT 1 AS a",
    "CREATE TABLE new_team (a); CREATE TEMPORARY VIEW new_team_ AS SELECT 1 AS a",
    "CREATE TABLE other (a); CREATE INDEX New_Team ON other (a)",
  ])
  func `tables, views and indexes that have the name of the new table before its end stay`(
    setUp: String
  ) throws {
    try withTeam { db throws in
      try db.execute(sql: setUp)
      func others() throws -> [SchemaObject] {
        try (db.schemaObjects() + db.schemaObjects(in: "temp")).filter { $0.name != "Team" }
      }
      let before = try others()
      try rebuild("Team", db, Self.defineTeam)
      #expect(try others() == before)
      #expect(try rows("SELECT * FROM team", db) == ["[id:1 name:'Reds']", "[id:2 name:'Blues']"])
    }
  }

  // MARK: Rows

  @Test func `a column has its last source, or the old column of its name, or its default`() throws
  {
    try withTeam { db throws in
      try rebuild("Team", db) { t in
        t.primaryKey("ID", .integer)
        t.column("NAME", .text)
        t.column("score", .integer)
        t.column("color", .text).defaults(to: "none")
        t.copy("score", sql: "0")
        t.copy("SCORE", sql: "ifnull(score, 0) + 1")
      }
      #expect(
        try rows("SELECT * FROM team", db) == [
          "[ID:1 NAME:'Reds' score:11 color:'none']",
          "[ID:2 NAME:'Blues' score:1 color:'none']",
        ]
      )
    }
  }

  @Test func `without an old column, the rows keep their row ids if they have any`() throws {
    try withTeam { db throws in
      try rebuild("Team", db) { t in t.column("color", .text).defaults(to: "none") }
      let expected = ["[rowid:1 color:'none']", "[rowid:2 color:'none']"]
      #expect(try rows("SELECT rowid, * FROM team", db) == expected)
      expectDatabaseError(
        .SQLITE_ERROR,
        "the new table has no column of the old table Team: create another table instead"
      ) {
        try rebuild("Team", db, options: .withoutRowID) { t in t.primaryKey("code", .text) }
      }
      #expect(try rows("SELECT rowid, * FROM team", db) == expected)
    }
  }

  @Test(arguments: [(true, Int64(6)), (false, 3)])
  func `ids of deleted rows are used again unless the new table autoincrements`(
    autoincrements: Bool,
    next: Int64
  ) throws {
    try withTeam { db throws in
      try rebuild("Team", db) { t in
        t.column("id", .integer).primaryKey(autoincrement: autoincrements)
        t.column("name", .text)
      }
      try db.execute(sql: "INSERT INTO team (name) VALUES ('Greys')")
      #expect(db.lastInsertedRowID == next)
    }
  }

  // MARK: Indexes and triggers

  @Test func `a new index replaces the old one of its name, and other ones are made again`() throws
  {
    try withTeam { db throws in
      try db.execute(
        sql: """
          CREATE INDEX team_on_NAME ON Team (score);
          CREATE UNIQUE INDEX byScore ON Team (score, name);
          """
      )
      try rebuild("Team", db) { t in
        t.primaryKey("id", .integer)
        t.column("name", .text).indexed()
        t.column("score", .integer)
      }
      let indexes = try db.indexes(on: "team").map { ($0.name, $0.columns) }
      let expected: [String: [String]] = ["Team_on_name": ["name"], "byScore": ["score", "name"]]
      #expect(Dictionary(uniqueKeysWithValues: indexes) == expected)
    }
  }

  @Test func `triggers are made again where they were`() throws {
    try withTeam { db throws in
      try db.execute(
        sql: """
          CREATE TABLE log (text);
          CREATE TRIGGER kept AFTER INSERT ON Team
            BEGIN INSERT INTO log VALUES ('kept ' || new.name); END;
          CREATE TRIGGER temp.passing AFTER DELETE ON Team
            BEGIN INSERT INTO log VALUES ('passing ' || old.name); END;
          """
      )
      try rebuild("Team", db, Self.defineTeam)
      for (name, schema) in [("kept", "main"), ("passing", "temp")] {
        for other in ["main", "temp"] {
          #expect(try db.triggerExists(name, in: other) == (other == schema))
        }
      }
      // The rebuild itself has fired none.
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM log") == 0)
      try db.execute(sql: "INSERT INTO team VALUES (7, 'Greys'); DELETE FROM team WHERE id = 1")
      let log = try String.fetchAll(db, sql: "SELECT text FROM log")
      #expect(log == ["kept Greys", "passing Reds"])
    }
  }

  @Test func `a temporary trigger of a table of the same name elsewhere stays`() throws {
    try withTeam { db throws in
      try db.execute(
        sql: """
          ATTACH ':memory:' AS other;
          CREATE TABLE other.Team (id INTEGER PRIMARY KEY, name);
          CREATE TABLE log (text);
          CREATE TRIGGER temp.elsewhere AFTER INSERT ON other.Team
            BEGIN INSERT INTO log VALUES ('elsewhere ' || new.name); END;
          CREATE TRIGGER temp.here AFTER INSERT ON main.Team
            BEGIN INSERT INTO log VALUES ('here ' || new.name); END;
          """
      )
      try rebuild("Team", db, Self.defineTeam)
      try db.execute(
        sql: """
          INSERT INTO main.Team VALUES (7, 'Greys'); INSERT INTO other.Team VALUES (8, 'Blues')
          """
      )
      let log = try String.fetchAll(db, sql: "SELECT text FROM log")
      #expect(log == ["here Greys", "elsewhere Blues"])
    }
  }

  // MARK: Settings of the connection

  @Test(arguments: [true, false])
  func `foreign keys are checked if they are enforced, of the table and of references to it`(
    areEnforced: Bool
  ) throws {
    try withTeam { db throws in
      try db.execute(
        sql: """
          PRAGMA foreign_keys = OFF;
          CREATE TABLE country (code TEXT PRIMARY KEY);
          CREATE TABLE city (country TEXT REFERENCES country(code));
          INSERT INTO city VALUES ('nowhere');
          CREATE TABLE player (id INTEGER PRIMARY KEY, teamID INTEGER REFERENCES TEAM(id));
          INSERT INTO player VALUES (1, 1);
          PRAGMA foreign_keys = \(areEnforced);
          """
      )
      // The city has nothing to do with the table.
      try rebuild("Team", db, Self.defineTeam)
      func moveKeys() throws {
        try rebuild("Team", db) { t in
          Self.defineTeam(t)
          t.copy("id", sql: "id + 100")
        }
      }
      if areEnforced {
        let error = #expect(throws: DatabaseError.self) { try moveKeys() }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
      } else {
        try moveKeys()
      }
      let first = try Int.fetchOne(db, sql: "SELECT min(id) FROM team")
      #expect(first == (areEnforced ? 1 : 101))
      #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == areEnforced)
    }
  }

  @Test(arguments: [false, true])
  func `the settings of the connection are as before, also after a failure`(isLegacy: Bool) throws {
    try withTeam { db throws in
      try db.execute(sql: "PRAGMA legacy_alter_table = \(isLegacy)")
      func expectSettings() throws {
        #expect(try Bool.fetchOne(db, sql: "PRAGMA legacy_alter_table") == isLegacy)
        #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
      }
      try rebuild("Team", db) { t in
        Self.defineTeam(t)
        t.column("score", .integer)
      }
      try expectSettings()
      expectDatabaseError(
        .SQLITE_CONSTRAINT_NOTNULL,
        "a row of Team does not fit its new definition: NOT NULL constraint failed: Team.score"
      ) {
        try rebuild("Team", db) { t in
          Self.defineTeam(t)
          t.column("score", .integer).notNull()
        }
      }
      try expectSettings()
    }
  }
}
