import Foundation
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct ColumnDefinitionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let title: String
    let sql: String
    let define: @Sendable (TableDefinition) -> Void
    var testDescription: String { title }

    init(_ title: String, _ sql: String, define: @escaping @Sendable (TableDefinition) -> Void) {
      self.title = title
      self.sql = sql
      self.define = define
    }
  }

  private enum Columns {
    static let id = TypedColumn<Int64>("id")
    static let email = TypedColumn<String>("email")
    static let name = TypedColumn<String?>("name")
    static let birth = TypedColumn<Date>("birth")
    static let photo = TypedColumn<Data?>("photo")
    static let isActive = TypedColumn<Bool>("isActive")
    static let anything = TypedColumn<DatabaseValue>("anything")
  }

  @Test(arguments: cases)
  func `each column definition writes the expected SQL`(_ column: Case) throws {
    try withParents { db in
      try expectDefinitions(db, [#"CREATE TABLE "t" ("# + column.sql + ")"]) {
        try db.create(table: "t") { column.define($0) }
      }
    }
  }

  static let cases = [
    Case("SCH-05: a column without a type", #""a""#) { $0.column("a") },
    Case(
      "SCH-06: types",
      """
      "a" TEXT, "b" INTEGER, "c" DOUBLE, "d" NUMERIC, "e" BOOLEAN, "f" BLOB, "g" DATE, "h" DATETIME, \
      "i" TEXT, "j" BLOB
      """
    ) { t in
      let types: [Database.ColumnType] = [
        .text, .integer, .double, .numeric, .boolean, .blob, .date, .datetime, .jsonText, .jsonb,
      ]
      for (name, type) in zip("abcdefghij", types) { t.column(String(name), type) }
    },
    Case("SCH-07: primary key", #""id" INTEGER PRIMARY KEY"#) { $0.primaryKey("id", .integer) },
    Case("SCH-07: primary key of a column", #""id" INTEGER PRIMARY KEY"#) {
      $0.column("id", .integer).primaryKey()
    },
    Case("SCH-08, SCH-11, SCH-31: other primary keys", #""isoCode" TEXT PRIMARY KEY NOT NULL"#) {
      $0.primaryKey("isoCode", .text)
    },
    Case(
      "SCH-40: a primary key with a conflict clause",
      #""isoCode" TEXT PRIMARY KEY ON CONFLICT REPLACE NOT NULL"#
    ) {
      $0.primaryKey("isoCode", .text, onConflict: .replace)
    },
    Case("SCH-09: auto-increment", #""id" INTEGER PRIMARY KEY AUTOINCREMENT"#) {
      $0.autoIncrementedPrimaryKey("id")
    },
    Case("SCH-12: not null", #""email" TEXT NOT NULL"#) { $0.column("email", .text).notNull() },
    Case(
      "SCH-13, SCH-45: typed columns",
      """
      "id" INTEGER PRIMARY KEY, "email" TEXT NOT NULL UNIQUE, "name" TEXT, "birth" DATETIME NOT NULL, \
      "photo" BLOB, "isActive" BOOLEAN NOT NULL, "anything"
      """
    ) { t in
      t.column(Columns.id).primaryKey()
      t.column(Columns.email).unique()
      t.column(Columns.name)
      t.column(Columns.birth)
      t.column(Columns.photo)
      t.column(Columns.isActive)
      t.column(Columns.anything)
    },
    Case("SCH-14: unique", #""email" TEXT UNIQUE"#) { $0.column("email", .text).unique() },
    Case("SCH-15: default", #""name" TEXT NOT NULL DEFAULT 'Anonymous'"#) {
      $0.column("name", .text).notNull().defaults(to: "Anonymous")
    },
    Case(
      "SCH-15: default values",
      #""a" DEFAULT -1, "b" DEFAULT 1.5, "c" DEFAULT x'0A', "d" DEFAULT NULL"#
    ) {
      t in
      t.column("a").defaults(to: -1)
      t.column("b").defaults(to: 1.5)
      t.column("c").defaults(to: Data([10]))
      t.column("d").defaults(to: Int?.none)
    },
    Case("SCH-16: boolean default", #""favorite" BOOLEAN NOT NULL DEFAULT 0"#) {
      $0.column("favorite", .boolean).notNull().defaults(to: false)
    },
    Case("SCH-17: default in SQL", #""createdAt" DATETIME DEFAULT CURRENT_TIMESTAMP"#) {
      $0.column("createdAt", .datetime).defaults(sql: "CURRENT_TIMESTAMP")
    },
    Case("SCH-17: default expression", #""a" DEFAULT (ABS(-1)), "b" DEFAULT (randomblob(16))"#) {
      t in
      t.column("a").defaults(to: abs((-1).databaseValue))
      t.column("b").defaults(to: SQL("randomblob(16)"))
    },
    Case(
      "SCH-18: typed defaults",
      #""email" TEXT NOT NULL DEFAULT 'none', "name" TEXT DEFAULT 'Anonymous'"#
    ) { t in
      t.column(Columns.email, default: "none")
      t.column(Columns.name, default: "Anonymous")
    },
    Case("SCH-19: check", #""name" TEXT CHECK (LENGTH("name") > 0)"#) {
      $0.column("name", .text).check { length($0) > 0 }
    },
    Case("SCH-20: check in SQL", #""score" INTEGER CHECK (score > 0)"#) {
      $0.column("score", .integer).check(sql: "score > 0")
    },
    Case("SCH-21: check with LIKE", #""email" TEXT NOT NULL CHECK ("email" LIKE '%@%')"#) {
      $0.column("email", .text).notNull().check { $0.like("%@%") }
    },
    Case("SCH-22: collation", #""email" TEXT NOT NULL COLLATE NOCASE"#) {
      $0.column("email", .text).notNull().collate(.nocase)
    },
    Case("SCH-23: collation", #""name" TEXT COLLATE RTRIM"#) {
      $0.column("name", .text).collate(.rtrim)
    },
    Case("SCH-24: collation in Swift", #""name" TEXT COLLATE swiftLocalizedStandardCompare"#) {
      $0.column("name", .text).collate(.localizedStandardCompare)
    },
    Case(
      "SCH-25: references",
      #""countryCode" TEXT REFERENCES "countries"("code") ON DELETE CASCADE"#
    ) {
      $0.column("countryCode", .text).references("countries", onDelete: .cascade)
    },
    Case(
      "SCH-26, A-058: references to a column",
      """
      "user_id" INTEGER REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE SET DEFAULT DEFERRABLE INITIALLY DEFERRED
      """
    ) {
      $0.column("user_id", .integer)
        .references(
          "users",
          column: "id",
          onDelete: .restrict,
          onUpdate: .setDefault,
          deferred: true
        )
    },
    Case(
      "SCH-27: constraints combine freely",
      #""a" INTEGER NOT NULL UNIQUE DEFAULT 1 REFERENCES "users"("id")"#
    ) {
      $0.column("a", .integer).references("users").defaults(to: 1).unique().notNull()
    },
    Case(
      "SCH-40: conflict clauses",
      #""a" NOT NULL ON CONFLICT IGNORE UNIQUE ON CONFLICT FAIL, "b" UNIQUE ON CONFLICT ROLLBACK, "c" UNIQUE"#
    ) { t in
      t.column("a").notNull(onConflict: .ignore).unique(onConflict: .fail)
      t.column("b").unique(onConflict: .rollback)
      t.column("c").unique(onConflict: .abort)
    },
    Case(
      "A-056: generated columns",
      """
      "a" INTEGER, "b" INTEGER GENERATED ALWAYS AS ("a" + 1) VIRTUAL, "c" GENERATED ALWAYS AS (a * 2) STORED
      """
    ) { t in
      t.column("a", .integer)
      t.column("b", .integer).generatedAs(Column("a") + 1)
      t.column("c").generatedAs(sql: "a * 2", .stored)
    },
  ]

  private enum Size: UInt64, DatabaseValueConvertible {
    case small = 1
    case large = 0xFFFF_FFFF_FFFF_FFFF
  }

  @Test(arguments: [[], .strict, .withoutRowID, [.strict, .withoutRowID]] as [TableOptions])
  func `typed columns keep integers over Int64.max`(_ options: TableOptions) throws {
    try withParents { db in
      try db.create(table: "t", options: options) { t in
        t.column(TypedColumn<Int>("id")).primaryKey()
        t.column(TypedColumn<UInt64>("a"))
        t.column(TypedColumn<UInt?>("b"))
        t.column(TypedColumn<Size?>("c"))
        t.column(TypedColumn<UInt32>("d"))
      }
      try db.alter(table: "t") { t in t.add(column: TypedColumn<UInt64?>("e")) }
      try db.create(table: "u", options: options) { t in
        t.primaryKey {
          t.column(TypedColumn<UInt64>("a"))
          t.column(TypedColumn<UInt64>("b"))
        }
      }
      let type = options.contains(.strict) ? "ANY" : ""
      #expect(
        try db.columns(in: "t").map(\.type) == ["INTEGER", type, type, type, "INTEGER", type]
      )
      try db.execute(
        sql: "INSERT INTO t VALUES (1, ?, ?, ?, 2, ?); INSERT INTO u VALUES (?, 3)",
        arguments: [UInt64.max, UInt.max, Size.large, UInt64.max, UInt64.max]
      )
      let row = try #require(try Row.fetchOne(db, sql: "SELECT t.*, u.a AS f FROM t, u"))
      #expect(row["a"] == UInt64.max)
      #expect(row["b"] == UInt.max)
      #expect(row["c"] == Size.large)
      #expect(row["e"] == UInt64.max)
      #expect(row["f"] == UInt64.max)
      #expect(try Int.fetchOne(db, sql: "SELECT d FROM t WHERE typeof(d) = 'integer'") == 2)
    }
  }

  @Test func `a primary key of one unsigned integer is the row id, which is no larger number`()
    throws
  {
    try withParents { db in
      let id = TypedColumn<UInt64>("id")
      try db.create(table: "t") { t in t.column(id).primaryKey() }
      #expect(try db.primaryKey("t").rowIDColumn == "id")
      expectDatabaseError(.SQLITE_MISMATCH, "datatype mismatch") {
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [UInt64.max])
      }
      // Without row ids, there is no such limit; nor for rows that refer to the table itself.
      try db.create(table: "u", options: .withoutRowID) { t in
        t.column(id).primaryKey()
        t.belongsTo("parent", inTable: "u")
      }
      try db.execute(sql: "INSERT INTO u VALUES (?1, ?1)", arguments: [UInt64.max])
      #expect(try UInt64.fetchAll(db, sql: "SELECT id FROM u, (SELECT 1)") == [.max])
      #expect(try UInt64.fetchAll(db, sql: "SELECT parentId FROM u") == [.max])
    }
  }

  // SQLite would search no index of a column without a type for an `INTEGER`.
  @Test(arguments: [[], .strict] as [TableOptions])
  func `unsigned integers that refer to another table keep their type`(_ options: TableOptions)
    throws
  {
    try withParents { db in
      let id = TypedColumn<UInt64>("id")
      try db.create(table: "p", options: options) { t in t.column(id).primaryKey() }
      try db.create(table: "c", options: options) { t in
        t.column(id).primaryKey()
        t.column(TypedColumn<UInt64>("a")).references("p").indexed()
        t.column(TypedColumn<UInt64>("b"))
        t.foreignKey(["b"], references: "p")
      }
      try db.alter(table: "c") { t in
        t.add(column: TypedColumn<UInt64?>("d")).references("p")
      }
      #expect(try db.columns(in: "c").map(\.type) == ["INTEGER", "INTEGER", "INTEGER", "INTEGER"])
      let plan = try Row.fetchAll(
        db,
        sql: "EXPLAIN QUERY PLAN SELECT c.id FROM p CROSS JOIN c ON c.a = p.id"
      )
      #expect(plan.contains { ($0["detail"] as String).contains("SEARCH c USING COVERING INDEX") })
    }
  }

  @Test func `SCH-28: a column definition creates an index`() throws {
    try withParents { db in
      try expectDefinitions(
        db,
        [
          #"CREATE TABLE "player" ("score" INTEGER)"#,
          #"CREATE INDEX "player_on_score" ON "player"("score")"#,
        ]
      ) {
        try db.create(table: "player") { t in t.column("score", .integer).indexed() }
      }
      let index = try #require(try db.indexes(on: "player").first)
      #expect(index.name == "player_on_score")
      #expect(index.columns == ["score"])
      #expect(!index.isUnique && !index.isPartial && index.origin == .createIndex)
    }
  }

  @Test func `every constraint is read back from the schema`() throws {
    try withParents { db in
      try db.create(table: "t") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("email", .text).notNull().unique().collate(.nocase)
        t.column("name", .text).defaults(to: "O'Brien")
        t.column("twice", .integer).generatedAs(Column("id") * 2)
        t.column("thrice", .integer).generatedAs(Column("id") * 3, .stored)
        t.column("user", .integer).references("users", onDelete: .cascade)
      }
      let columns = try db.columns(in: "t")
      #expect(columns.map(\.name) == ["id", "email", "name", "twice", "thrice", "user"])
      #expect(
        columns.map(\.type) == ["INTEGER", "TEXT", "TEXT", "INTEGER", "INTEGER", "INTEGER"]
      )
      #expect(columns.map(\.isNotNull) == [false, true, false, false, false, false])
      #expect(columns.map(\.defaultValueSQL) == [nil, nil, "'O''Brien'", nil, nil, nil])
      #expect(columns.map(\.generation) == [nil, nil, nil, .virtual, .stored, nil])
      try #expect(db.primaryKey("t").rowIDColumn == "id")
      let index = try #require(try db.indexes(on: "t").first)
      #expect(index.isUnique && index.origin == .uniqueConstraint)
      #expect(index.terms.map(\.collation) == [.nocase])
      let key = try #require(try db.foreignKeys(on: "t").first)
      #expect(key.destinationTable == "users" && key.onDelete == .cascade)
      #expect(key.mapping.map(\.origin) == ["user"] && key.mapping.map(\.destination) == ["id"])
    }
  }

  @Test func `SCH-19: constraints are enforced`() throws {
    try withParents { db in
      try db.create(table: "t") { t in
        t.primaryKey("id", .text)
        t.column("name", .text).notNull().check { length($0) > 0 }
        t.column("email", .text).unique(onConflict: .ignore).collate(.nocase)
      }
      expectDatabaseError(.SQLITE_CONSTRAINT_NOTNULL, "NOT NULL constraint failed: t.id") {
        try db.execute(sql: "INSERT INTO t VALUES (NULL, 'a', 'b')")
      }
      expectDatabaseError(
        .SQLITE_CONSTRAINT_CHECK,
        #"CHECK constraint failed: LENGTH("name") > 0"#
      ) {
        try db.execute(sql: "INSERT INTO t VALUES ('x', '', 'b')")
      }
      try db.execute(sql: "INSERT INTO t VALUES ('x', 'a', 'b'), ('y', 'a', 'B')")
      try #expect(String.fetchAll(db, sql: "SELECT id FROM t") == ["x"])
    }
  }

  @Test func `SCH-15: default values are stored unchanged`() throws {
    let values: [DatabaseValue] = [
      "it's".databaseValue, "a\0b".databaseValue, Double.infinity.databaseValue,
      (-Double.infinity).databaseValue, Int64.min.databaseValue, Data([0, 39]).databaseValue, .null,
    ]
    try withParents { db in
      try db.create(table: "t") { t in
        for (index, value) in values.enumerated() { t.column("c\(index)").defaults(to: value) }
      }
      try db.execute(sql: "INSERT INTO t DEFAULT VALUES")
      let row = try #require(try Row.fetchOne(db, sql: "SELECT * FROM t"))
      #expect(Array(row.databaseValues) == values)
    }
  }
}
