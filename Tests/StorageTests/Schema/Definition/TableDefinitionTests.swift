import Foundation
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct TableDefinitionTests {
  @Test(arguments: tables)
  func `each table definition runs the expected SQL`(_ table: SchemaCase) throws {
    try table.check()
  }

  static let tables = [
    SchemaCase("SCH-01: a table", #"CREATE TABLE "place" ("title" TEXT)"#) { db in
      try db.create(table: "place") { t in t.column("title", .text) }
    },
    SchemaCase("SCH-02: a temporary table", #"CREATE TEMPORARY TABLE "place" ("title" TEXT)"#) {
      db in try db.create(table: "place", options: .temporary) { t in t.column("title", .text) }
    },
    SchemaCase(
      "SCH-03: a table that may exist",
      #"CREATE TABLE IF NOT EXISTS "users" ("id" INTEGER)"#,
      #"CREATE INDEX IF NOT EXISTS "users_on_id" ON "users"("id")"#
    ) { db in
      try db.create(table: "users", options: .ifNotExists) { t in
        t.column("id", .integer).indexed()
      }
    },
    SchemaCase(
      "SCH-04: a temporary table that may exist",
      #"CREATE TEMPORARY TABLE IF NOT EXISTS "example" ("a")"#
    ) { db in
      try db.create(table: "example", options: [.temporary, .ifNotExists]) { $0.column("a") }
    },
    SchemaCase(
      "SCH-41: a table without row ids",
      #"CREATE TABLE "t" ("a" TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID"#
    ) { db in
      try db.create(table: "t", options: .withoutRowID) { $0.primaryKey("a", .text) }
    },
    SchemaCase(
      "A-057: a strict table",
      #"CREATE TABLE "t" ("a" ANY, "b" REAL, "c" TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID"#
    ) { db in
      try db.create(table: "t", options: [.strict, .withoutRowID]) { t in
        t.column("a", .any)
        t.column("b", .real)
        t.primaryKey("c", .text)
      }
    },
    SchemaCase("SCH-43: a table in SQL", "CREATE TABLE t (a, b)") { db in
      try db.execute(sql: "CREATE TABLE t (a, b)")
    },
    SchemaCase(
      "quotes in names are doubled",
      ##"CREATE TABLE "a""b" ("c""d" TEXT CHECK ("c""d" > 'e''"f'))"##
    ) { db in
      try db.create(table: #"a"b"#) { t in t.column(#"c"d"#, .text).check { $0 > #"e'"f"# } }
    },
  ]

  @Test(arguments: keys)
  func `each key definition runs the expected SQL`(_ table: SchemaCase) throws {
    try table.check()
  }

  static let keys = [
    SchemaCase(
      "SCH-29: a composite primary key",
      #"CREATE TABLE "t" ("a" INTEGER NOT NULL, "b" NOT NULL, "c", PRIMARY KEY ("a", "b"))"#
    ) { db in
      try db.create(table: "t") { t in
        t.column("a", .integer)
        t.column("b")
        t.column("c")
        t.primaryKey(["a", "b"])
      }
    },
    SchemaCase(
      "SCH-30: a primary key with an order",
      #"CREATE TABLE "t" ("email" TEXT NOT NULL, "name" NOT NULL, PRIMARY KEY ("email" ASC, "name") ON CONFLICT IGNORE)"#
    ) { db in
      try db.create(table: "t") { t in
        t.column("email", .text)
        t.column("name")
        t.primaryKey([Column("email").asc, Column("name")], onConflict: .ignore)
      }
    },
    SchemaCase(
      "A-055: a primary key whose columns a closure adds",
      """
      CREATE TABLE "t" ("a" TEXT NOT NULL, "teamId" INTEGER NOT NULL REFERENCES "team"("id"), "c", \
      PRIMARY KEY ("a", "teamId"))
      """,
      #"CREATE INDEX "t_on_teamId" ON "t"("teamId")"#
    ) { db in
      try db.create(table: "t") { t in
        t.primaryKey {
          t.column("a", .text)
          t.belongsTo("team")
        }
        t.column("c")
      }
    },
    SchemaCase(
      "an integer primary key declared apart from its column",
      #"CREATE TABLE "t" ("a" INTEGER, PRIMARY KEY ("a"))"#
    ) { db in
      try db.create(table: "t") { t in
        t.column("a", .integer)
        t.primaryKey(["a"])
      }
    },
    SchemaCase(
      "SCH-32, SCH-33: unique keys",
      #"CREATE TABLE "t" ("a", "b", UNIQUE ("a", "b"), UNIQUE ("b") ON CONFLICT REPLACE)"#
    ) { db in
      try db.create(table: "t") { t in
        t.column("a")
        t.column("b")
        t.uniqueKey(["a", "b"])
        t.uniqueKey(["b"], onConflict: .replace)
      }
    },
    SchemaCase(
      "SCH-34: a composite foreign key",
      #"CREATE TABLE "t" ("a", "b", FOREIGN KEY ("a", "b") REFERENCES "parents"("c", "d"))"#
    ) { db in
      try db.create(table: "t") { t in
        t.column("a")
        t.column("b")
        t.foreignKey(["a", "b"], references: "parents")
      }
    },
    SchemaCase(
      "SCH-35, SCH-36, SCH-37, A-058: foreign keys",
      """
      CREATE TABLE "t" ("user_id", \
      FOREIGN KEY ("user_id") REFERENCES "users"("email") ON UPDATE CASCADE, \
      FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED)
      """
    ) { db in
      try db.create(table: "t") { t in
        t.column("user_id")
        t.foreignKey(["user_id"], references: "users", columns: ["email"], onUpdate: .cascade)
        t.foreignKey(["user_id"], references: "users", onDelete: .setNull, deferred: true)
      }
    },
    SchemaCase(
      "a table that refers to itself",
      """
      CREATE TABLE "t" ("a" TEXT NOT NULL, "b" INTEGER NOT NULL, "c" TEXT, "d" INTEGER, \
      PRIMARY KEY ("a", "b"), FOREIGN KEY ("c", "d") REFERENCES "T"("a", "b"))
      """
    ) { db in
      try db.create(table: "t") { t in
        t.primaryKey {
          t.column("a", .text)
          t.column("b", .integer)
        }
        t.column("c", .text)
        t.column("d", .integer)
        t.foreignKey(["c", "d"], references: "T")
      }
    },
    SchemaCase(
      "SCH-38, SCH-39: checks",
      #"CREATE TABLE "t" ("a", "b", CHECK (("a" + "b") < 10), CHECK (a + b < 10))"#
    ) { db in
      try db.create(table: "t") { t in
        t.column("a")
        t.column("b")
        t.check(Column("a") + Column("b") < 10)
        t.check(sql: "a + b < 10")
      }
    },
    SchemaCase(
      "A-059: columns and constraints in SQL",
      """
      CREATE TABLE "t" (a TEXT COLLATE NOCASE, b DEFAULT 'O''Brien', CONSTRAINT small CHECK (a < 10), \
      CHECK (a > 'it''s'))
      """
    ) { db in
      try db.create(table: "t") { t in
        t.column(sql: "a TEXT COLLATE NOCASE")
        t.column(literal: "b DEFAULT \("O'Brien")")
        t.constraint(sql: "CONSTRAINT small CHECK (a < 10)")
        t.constraint(literal: "CHECK (a > \("it's"))")
      }
    },
  ]

  @Test(arguments: parents)
  func `belongsTo adds columns, foreign keys and indexes`(_ table: SchemaCase) throws {
    try table.check()
  }

  static let parents = [
    SchemaCase(
      "A-054: a foreign key column in one call",
      #"CREATE TABLE "player" ("teamId" INTEGER NOT NULL REFERENCES "team"("id") ON DELETE CASCADE)"#,
      #"CREATE INDEX "player_on_teamId" ON "player"("teamId")"#
    ) { db in
      try db.create(table: "player") { t in t.belongsTo("team", onDelete: .cascade).notNull() }
    },
    SchemaCase(
      "A-054: a parent table with a plural name, and no index",
      """
      CREATE TABLE "player" ("userId" INTEGER UNIQUE REFERENCES "users"("id"), \
      "countryCode" TEXT REFERENCES "countries"("code") ON UPDATE CASCADE)
      """
    ) { db in
      try db.create(table: "player") { t in
        t.belongsTo("user").unique()
        t.belongsTo("country", onUpdate: .cascade, indexed: false)
      }
    },
    SchemaCase(
      "A-054: a foreign key of several columns",
      """
      CREATE TABLE "t" ("parentC" TEXT, "parentD" INTEGER, "otherC" TEXT, "otherD" INTEGER, \
      FOREIGN KEY ("parentC", "parentD") REFERENCES "parents"("c", "d"), \
      FOREIGN KEY ("otherC", "otherD") REFERENCES "parents"("c", "d"))
      """,
      #"CREATE INDEX "index_t_on_parentC_parentD" ON "t"("parentC", "parentD")"#,
      #"CREATE UNIQUE INDEX "index_t_on_otherC_otherD" ON "t"("otherC", "otherD")"#
    ) { db in
      try db.create(table: "t") { t in
        t.belongsTo("parent")
        t.belongsTo("other", inTable: "parents").unique()
      }
    },
    SchemaCase(
      "A-054: a foreign key that is the primary key",
      """
      CREATE TABLE "profile" ("teamId" INTEGER REFERENCES "team"("id"), PRIMARY KEY ("teamId"))
      """
    ) { db in
      try db.create(table: "profile") { t in t.primaryKey { t.belongsTo("team") } }
    },
    SchemaCase(
      "A-054: a foreign key that is a part of the primary key",
      """
      CREATE TABLE "visit" ("teamId" INTEGER NOT NULL REFERENCES "team"("id"), \
      "day" TEXT NOT NULL, PRIMARY KEY ("teamId", "day"))
      """,
      #"CREATE INDEX "visit_on_teamId" ON "visit"("teamId")"#
    ) { db in
      try db.create(table: "visit") { t in
        t.primaryKey {
          t.belongsTo("team")
          t.column("day", .text)
        }
      }
    },
    SchemaCase(
      "A-054: a foreign key to the table itself",
      """
      CREATE TABLE "employee" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, \
      "managerId" INTEGER REFERENCES "employee"("id"))
      """,
      #"CREATE INDEX "employee_on_managerId" ON "employee"("managerId")"#
    ) { db in
      try db.create(table: "employee") { t in
        t.autoIncrementedPrimaryKey("id")
        t.belongsTo("manager", inTable: "employee")
      }
    },
  ]

  @Test(
    arguments: [
      ("club", "clubs"), ("box", "boxes"), ("city", "cities"), ("person", "people"),
      ("salesPerson", "salesPeople"), ("child", "children"), ("shelf", "shelves"),
      ("life", "lives"), ("analysis", "analyses"), ("index", "indices"), ("medium", "media"),
      ("focus", "foci"), ("woman", "women"), ("quiz", "quizzes"),
    ]
  )
  func `belongsTo finds the table with the plural of the name`(
    _ name: String,
    _ table: String
  ) throws {
    try withParents { db in
      try db.create(table: table) { t in t.autoIncrementedPrimaryKey("id") }
      try db.create(table: "t") { t in t.belongsTo(name) }
      let key = try #require(db.foreignKeys(on: "t").first)
      #expect(key.destinationTable == table && key.originColumns == [name + "Id"])
    }
  }

  // MARK: - Effects

  @Test func `SCH-02: a temporary table is created in temp`() throws {
    try withParents { db in
      try db.create(table: "place", options: .temporary) { t in t.column("title", .text) }
      try #expect(db.tableExists("place", in: "temp"))
      try #expect(!db.tableExists("place", in: "main"))
    }
  }

  @Test func `SCH-36: foreign keys are looked up, and enforced with their actions`() throws {
    try withParents { db in
      try db.create(table: "player") { t in
        t.primaryKey("id", .integer)
        t.column("code", .text).references("countries", onDelete: .setNull, onUpdate: .cascade)
        t.belongsTo("team", onDelete: .cascade)
      }
      let keys = try db.foreignKeys(on: "player")
      #expect(keys.map(\.destinationTable) == ["team", "countries"])
      #expect(keys.map(\.destinationColumns) == [["id"], ["code"]])
      #expect(keys.map(\.originColumns) == [["teamId"], ["code"]])
      #expect(keys.map(\.onDelete) == [.cascade, .setNull])
      #expect(keys.map(\.onUpdate) == [.noAction, .cascade])
      try db.execute(
        sql: """
          INSERT INTO countries VALUES ('FR', 'France'), ('IT', 'Italy');
          INSERT INTO team VALUES (1, 'Reds'), (2, 'Blues');
          INSERT INTO player VALUES (1, 'FR', 1), (2, 'IT', 2);
          UPDATE countries SET code = 'FX' WHERE code = 'FR';
          DELETE FROM countries WHERE code = 'IT';
          DELETE FROM team WHERE id = 2;
          """
      )
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM player")
      #expect(rows.map(\.description) == ["[id:1 code:'FX' teamId:1]"])
    }
  }

  @Test func `SCH-42: foreign keys are enforced unless the configuration says otherwise`() throws {
    var configuration = Configuration()
    for isEnabled in [true, false] {
      configuration.foreignKeysEnabled = isEnabled
      try DatabaseQueue(configuration: configuration).write { db in
        try db.create(table: "team") { $0.primaryKey("id", .integer) }
        try db.create(table: "player") { $0.belongsTo("team") }
        let insert = Result { try db.execute(sql: "INSERT INTO player VALUES (1)") }
        let isRefused = (try? insert.get()) == nil
        #expect(isRefused == isEnabled)
      }
    }
  }

  @Test func `A-057: a strict table refuses other types`() throws {
    try withParents { db in
      try db.create(table: "t", options: .strict) { t in t.column("a", .integer) }
      expectDatabaseError(
        .SQLITE_CONSTRAINT_DATATYPE,
        "cannot store TEXT value in INTEGER column t.a"
      ) {
        try db.execute(sql: "INSERT INTO t VALUES ('x')")
      }
    }
  }

  @Test func `no table is created when its index cannot be created`() throws {
    try withParents { db in
      try db.execute(sql: #"CREATE INDEX "player_on_score" ON users(name)"#)
      expectDatabaseError(.SQLITE_ERROR, "index player_on_score already exists") {
        try db.create(table: "player") { t in t.column("score", .integer).indexed() }
      }
      try #expect(!db.tableExists("player"))
      #expect(!db.isInsideTransaction)
    }
  }

  // MARK: - Mistakes

  @Test(arguments: [
    SchemaCase("the table t has no columns") { db in try db.create(table: "t") { _ in } },
    SchemaCase(
      """
      foreign key t(a): no such table: nothing: create it first, or name the referenced columns
      """
    ) { db in
      try db.create(table: "t") { $0.column("a").references("nothing") }
    },
    SchemaCase(
      """
      foreign key t(a): keyless has no primary key: declare one, or reference unique columns by name
      """
    ) { db in
      try db.create(table: "t") { $0.column("a").references("keyless") }
    },
    SchemaCase(
      """
      foreign key t(a): the primary key of parents has 2 columns (c, d): use foreignKey(_:references:)
      """
    ) { db in
      try db.create(table: "t") { $0.column("a").references("parents") }
    },
    SchemaCase(
      "foreign key t(captain): no such table: captain: create it first, or name another table in inTable"
    ) { db in
      try db.create(table: "t") { $0.belongsTo("captain") }
    },
    SchemaCase(
      """
      foreign key t(a): t has no primary key: declare one, or reference unique columns by name
      """
    ) { db in
      try db.create(table: "t") { $0.column("a").references("t") }
    },
    SchemaCase(
      "SCH-10: AUTOINCREMENT requires an INTEGER PRIMARY KEY: the type of t.a is TEXT"
    ) { db in
      try db.create(table: "t") { $0.column("a", .text).primaryKey(autoincrement: true) }
    },
    SchemaCase(#"table "users" already exists"#) { db in
      try db.create(table: "users") { $0.column("a") }
    },
    SchemaCase("duplicate column name: a") { db in
      try db.create(table: "t") { t in
        t.column("a")
        t.column("a")
      }
    },
  ])
  func `an invalid definition throws an error that names the mistake`(_ mistake: SchemaCase) throws
  {
    let message = mistake.title.replacing("SCH-10: ", with: "")
    try withParents { db in
      expectDatabaseError(.SQLITE_ERROR, message) { try mistake.change(db) }
    }
  }

  @Test func `a definition with statement arguments is refused`() throws {
    try withParents { db in
      expectDatabaseError(
        .SQLITE_MISUSE,
        "a definition takes no arguments: embed the values in an SQL literal"
      ) {
        try db.create(table: "t") { $0.column(literal: SQL(sql: "a DEFAULT ?", arguments: [1])) }
      }
    }
  }
}
