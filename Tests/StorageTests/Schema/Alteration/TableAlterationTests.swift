import Storage
import Testing

@testable import StorageTestSupport

@Suite struct TableAlterationTests {
  private enum Columns {
    static let bonus = TypedColumn<Int>("bonus")
    static let nickname = TypedColumn<String?>("nickname")
  }

  @Test(arguments: cases)
  func `each alteration runs the expected SQL`(_ alteration: SchemaCase) throws {
    try alteration.check()
  }

  static let cases = [
    SchemaCase("ALT-01: rename a table", #"ALTER TABLE "users" RENAME TO "members""#) { db in
      try db.rename(table: "users", to: "members")
      try #expect(db.tableExists("members") && !db.tableExists("users"))
    },
    SchemaCase(
      "ALT-03: add columns",
      #"ALTER TABLE "users" ADD COLUMN "url" TEXT"#,
      #"ALTER TABLE "users" ADD COLUMN "age""#,
      #"CREATE INDEX "users_on_age" ON "users"("age")"#
    ) { db in
      try db.alter(table: "users") { t in
        t.add(column: "url", .text)
        t.add(column: "age").indexed()
      }
      try #expect(db.columns(in: "users").map(\.name) == ["id", "email", "name", "url", "age"])
    },
    SchemaCase(
      "ALT-04: add a column with a check",
      #"ALTER TABLE "users" ADD COLUMN "suffix" TEXT CHECK ("suffix" IN ('JR', 'SR'))"#
    ) { db in
      try db.alter(table: "users") { t in
        t.add(column: "suffix", .text).check { ["JR", "SR"].contains($0) }
      }
      #expect(throws: DatabaseError.self) { () throws in
        try db.execute(sql: "INSERT INTO users (suffix) VALUES ('XX')")
      }
    },
    SchemaCase(
      "ALT-05: add a column with a default",
      #"ALTER TABLE "users" ADD COLUMN "suffix" TEXT DEFAULT 'SR'"#
    ) { db in
      try db.execute(sql: "INSERT INTO users (id) VALUES (1)")
      try db.alter(table: "users") { t in t.add(column: "suffix", .text).defaults(to: "SR") }
      try #expect(String.fetchOne(db, sql: "SELECT suffix FROM users") == "SR")
    },
    SchemaCase(
      "ALT-07, ALT-08: add columns with a collation",
      #"ALTER TABLE "users" ADD COLUMN "a" TEXT NOT NULL COLLATE NOCASE"#,
      #"ALTER TABLE "users" ADD COLUMN "b" TEXT COLLATE RTRIM"#
    ) { db in
      try db.alter(table: "users") { t in
        t.add(column: "a", .text).notNull().collate(.nocase)
        t.add(column: "b", .text).collate(.rtrim)
      }
    },
    SchemaCase(
      "ALT-09: add columns with a reference",
      #"ALTER TABLE "users" ADD COLUMN "team_id" INTEGER REFERENCES "team"("id")"#,
      #"ALTER TABLE "users" ADD COLUMN "friend" INTEGER REFERENCES "users"("id")"#
    ) { db in
      try db.alter(table: "users") { t in
        t.add(column: "team_id", .integer).references("team", column: "id")
        t.add(column: "friend", .integer).references("users")
      }
      try #expect(db.foreignKeys(on: "users").map(\.originColumns) == [["friend"], ["team_id"]])
    },
    SchemaCase(
      "SCH-13: add typed columns",
      #"ALTER TABLE "users" ADD COLUMN "bonus" INTEGER NOT NULL DEFAULT 0"#,
      #"ALTER TABLE "users" ADD COLUMN "nickname" TEXT"#
    ) { db in
      try db.alter(table: "users") { t in
        t.add(column: Columns.bonus, default: 0)
        t.add(column: Columns.nickname)
      }
    },
    SchemaCase(
      "A-059: add columns in SQL",
      #"ALTER TABLE "users" ADD COLUMN a INTEGER DEFAULT 0"#,
      #"ALTER TABLE "users" ADD COLUMN b DEFAULT 'O''Brien'"#
    ) { db in
      try db.alter(table: "users") { t in
        t.addColumn(sql: "a INTEGER DEFAULT 0")
        t.addColumn(literal: "b DEFAULT \("O'Brien")")
      }
    },
    SchemaCase(
      "A-060, A-067: rename and drop columns",
      #"ALTER TABLE "users" RENAME COLUMN "name" TO "fullName""#,
      #"ALTER TABLE "users" DROP COLUMN "fullName""#
    ) { db in
      try db.alter(table: "users") { t in
        t.rename(column: "name", to: "fullName")
        t.drop(column: "fullName")
      }
      try #expect(db.columns(in: "users").map(\.name) == ["id", "email"])
    },
  ]

  @Test func `ALT-02: a virtual table is renamed`() throws {
    try withParents { db in
      try db.create(virtualTable: "emails", using: "fts5(subject)")
      let statements = try tracedStatements(db) {
        try db.rename(table: "emails", to: "emails_old")
      }
      #expect(statements.contains(#"ALTER TABLE "emails" RENAME TO "emails_old""#))
      try #expect(db.columns(in: "emails_old").map(\.name) == ["subject"])
    }
  }

  @Test func `ALT-06, ALT-10: alterations that SQLite cannot make throw its errors`() throws {
    try withParents { db in
      try db.execute(sql: "INSERT INTO users (id) VALUES (1)")
      expectDatabaseError(.SQLITE_ERROR, "Cannot add a column with non-constant default") {
        try db.alter(table: "users") { t in
          t.add(column: "at", .datetime).defaults(sql: "CURRENT_TIMESTAMP")
        }
      }
      expectDatabaseError(.SQLITE_ERROR, "Cannot add a NOT NULL column with default value NULL") {
        try db.alter(table: "users") { t in t.add(column: "email2", .text).notNull() }
      }
      expectDatabaseError(
        .SQLITE_ERROR,
        #"cannot drop UNIQUE column: "email""#
      ) {
        try db.alter(table: "users") { t in t.drop(column: "email") }
      }
    }
  }

  @Test func `either all alterations are made or none`() throws {
    try withParents { db in
      expectDatabaseError(.SQLITE_ERROR, #"no such column: ""nothing"""#) {
        try db.alter(table: "users") { t in
          t.add(column: "url", .text)
          t.drop(column: "nothing")
        }
      }
      try #expect(db.columns(in: "users").count == 3)
    }
  }

}
