import Storage
import Testing

@testable import StorageTestSupport

/// A migration's definitions that compile with a warning.
private protocol OldDefinition {
  static func define(_ t: TableDefinition)
}

private enum Constants: OldDefinition {
  @available(*, deprecated)
  static func define(_ t: TableDefinition) {
    t.column("kind", .text).generatedAs("player")
    t.check("1")
  }
}

/// Names the key of every view.
private struct IDSource: DatabaseSchemaSource {
  func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
    ["id"]
  }
}

private final class Output: TextOutputStream {
  var text = ""
  func write(_ string: String) { text += string }
}

extension ParityTests {
  static let schema: [ParityLine] = definitions + migrations + fullText + introspection + dumps

  private static let definitions: [ParityLine] = [
    .same(.api(18), "create(table:temporary:ifNotExists:withoutRowID:)") {
      try withParents { db in
        let sql = #"CREATE TEMPORARY TABLE IF NOT EXISTS "t" ("a" TEXT NOT NULL)"#
        try expectDefinitions(db, [sql]) {
          try db.create(table: "t", temporary: true, ifNotExists: true, withoutRowID: false) { t in
            t.column("a", .text).notNull()
          }
        }
      }
    },
    .same(.api(18), "create(index:on:columns:unique:ifNotExists:condition:)") {
      try withParents { db in
        let sql = #"CREATE UNIQUE INDEX IF NOT EXISTS "i" ON "users"("name")"#
        try expectDefinitions(db, [sql]) {
          try db.create(index: "i", on: "users", columns: ["name"], unique: true, ifNotExists: true)
        }
      }
    },
    .same(.api(18), "create(virtualTable:ifNotExists:using:)") {
      try withParents { db in
        for _ in 1...2 {
          try db.create(virtualTable: "area", ifNotExists: true, using: "rtree(id, minX, maxX)")
          try db.create(virtualTable: "page", ifNotExists: true, using: FTS5()) { t in
            t.column("text")
          }
        }
        try #expect(db.tableExists("area") && db.tableExists("page"))
      }
    },
    .same(.api(18), #"check("…") and generatedAs("…") of constants"#) {
      let definition: any OldDefinition.Type = Constants.self
      try withParents { db in
        try expectDefinitions(
          db,
          [
            """
            CREATE TABLE "t" ("a", "kind" TEXT GENERATED ALWAYS AS ('player') VIRTUAL, CHECK ('1'))
            """
          ]
        ) {
          try db.create(table: "t") { t in
            t.column("a")
            definition.define(t)
          }
        }
      }
    },
    .same(.behavior(13), "create(indexOn:columns:) names the index") {
      try withParents { db in
        try db.create(indexOn: "users", columns: ["name", "email"])
        try #expect(db.indexExists("index_users_on_name_email"))
      }
    },
    .same(.api(18), "create(view:as: SQLRequest(literal: …))") {
      try withParents { db in
        try db.create(view: "v", as: SQLRequest(literal: "SELECT \(1) AS x"))
        try #expect(Int.fetchOne(db, sql: "SELECT x FROM v") == 1)
      }
    },
    .documented(.api(18), "drop(indexOn:) of no index does nothing", "drop(indexOn:"),
  ]

  private static let migrations: [ParityLine] = [
    .same(.behavior(13), "merged migrations forget the merged identifiers") {
      let queue = try DatabaseQueue()
      var old = DatabaseMigrator()
      for name in ["v1", "v2", "v3"] { old.registerMigration(name) { _ in } }
      try old.migrate(queue)
      var new = DatabaseMigrator()
      new.registerMigration("v3", merging: ["v1", "v2"]) { _, _ in Issue.record("it was applied") }
      try new.migrate(queue)
      try #expect(queue.read(new.appliedIdentifiers) == ["v3"])
    },
    .same(.api(18), "disablingDeferredForeignKeyChecks()") {
      let queue = try DatabaseQueue()
      var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
      migrator.registerMigration("lonely") { db in
        try db.execute(
          sql: """
            CREATE TABLE team (id INTEGER PRIMARY KEY);
            CREATE TABLE player (teamId INTEGER REFERENCES team);
            INSERT INTO player VALUES (1);
            """
        )
      }
      try migrator.migrate(queue)
      try #expect(queue.read { db in try db.foreignKeyViolations().count } == 1)
    },
    .same(.api(25), "DatabaseMigrator.migrations") {
      var migrator = DatabaseMigrator()
      migrator.registerMigration("v1") { _ in }
      migrator.registerMigration("v2", merging: ["v0"]) { _, _ in }
      #expect(migrator.migrations == ["v1", "v2"])
    },
    .documented(
      .api(18),
      "migrating a database of a later version does nothing",
      "allowsUnknownMigrations"
    ),
  ]

  private static let introspection: [ParityLine] = [
    .same(.behavior(18), "primaryKey(_:) of a view is an error") {
      try withParents { db in
        try db.execute(sql: "CREATE VIEW reds AS SELECT * FROM team")
        expectError(
          """
          SQLite error 1: the view reds has no primary key: name its columns in the schemaSource of \
          the configuration
          """
        ) {
          _ = try db.primaryKey("reds")
        }
      }
    },
    .same(.behavior(18), "table(_:hasUniqueKey:) of more columns than a key has") {
      try withParents { db in
        try #expect(db.table("users", hasUniqueKey: ["email", "name"]))
        try #expect(!db.table("users", hasUniqueKey: ["name"]))
      }
    },
    .same(.behavior(18), "the error of an unknown schema") {
      try withParents { db in
        _ = expectDatabaseError(.SQLITE_ERROR, "no such schema: nothing") {
          _ = try db.tableExists("users", in: "nothing")
        }
      }
    },
    .documented(.behavior(18), "indexes(on:) omits indexes on expressions", "indexes(on:)"),
    .same(.api(25), "ForeignKeyViolation.failureDescription(_:)") {
      try withParents { db in
        try db.execute(
          sql: """
            PRAGMA foreign_keys = OFF;
            CREATE TABLE player (id INTEGER PRIMARY KEY, teamId INTEGER REFERENCES team);
            INSERT INTO player VALUES (1, 2);
            """
        )
        let violation = try #require(db.foreignKeyViolations(in: "player", in: "main").first)
        try #expect(violation.failureDescription(db).hasSuffix("in [id:1 teamId:2]"))
        _ = #expect(throws: DatabaseError.self) {
          try db.checkForeignKeys(in: "player", in: "main")
        }
      }
    },
    .documented(.api(25), "foreignKeyViolations() is a cursor", "foreignKeyViolations"),
    .same(.api(25), "DatabaseSchemaSource, Configuration.schemaSource") {
      var configuration = Configuration()
      configuration.schemaSource = IDSource()
      try withDatabase(configuration) { db in
        try db.execute(sql: "CREATE VIEW cup AS SELECT * FROM item")
        try #expect(db.primaryKey("cup").columns == ["id"])
        _ = #expect(throws: DatabaseError.self) {
          try db.withSchemaSource(nil) { try db.primaryKey("cup") }
        }
      }
    },
    .same(.api(25), "schemaVersion()") {
      try withParents { db in
        let version: Int32 = try db.schemaVersion()
        try db.drop(table: "keyless")
        try #expect(db.schemaVersion() > version)
      }
    },
  ]

  private static let dumps: [ParityLine] = [
    .same(.api(25), "dump options") {
      try withDatabase { db in
        let output = Output()
        let rows: SQL = "SELECT 1 AS a, NULL AS b, x'00' AS c"
        try db.dumpSQL(
          rows,
          format: .list(header: true, separator: ";", nullValue: "-"),
          to: output
        )
        try db.dumpSQL("SELECT 'x'", format: .quote(header: true, separator: "|"), to: output)
        try db.dumpSQL("SELECT NULL AS n", format: .line(nullValue: "?"), to: output)
        try db.dumpSQL("SELECT 2 AS n", format: .debug(header: true), to: output)
        try db.dumpSQL(rows, format: .json(encoder: JSONDumpFormat.defaultEncoder), to: output)
        #expect(
          output.text == """
            a;b;c
            1;-;\0
            '''x'''
            'x'
                n = ?
            n
            2
            [{"a":1,"b":null,"c":"AA=="}]

            """
        )
      }
    },
    .same(.api(25), "dumpTables(_:format:tableHeader:stableOrder:to:)") {
      try withDatabase { db in
        try db.execute(sql: "CREATE VIEW n AS SELECT 2 AS i UNION ALL SELECT 1")
        let output = Output()
        let header: DumpTableHeaderOptions = .always
        try db.dumpTables(["n"], tableHeader: header, stableOrder: true, to: output)
        #expect(output.text == "n\n1\n2\n")
      }
    },
    .documented(.api(25), "DumpFormat.writeRow(_:statement:to:)", "DumpFormat"),
  ]
}
