import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseCreateWithFlagsTests {
  private static let definitions: [SchemaCase] = [
    SchemaCase(
      "tables",
      #"CREATE TABLE "plain" ("a")"#,
      #"CREATE TEMPORARY TABLE "draft" ("a")"#,
      #"CREATE TABLE IF NOT EXISTS "draft" ("a")"#,
      #"CREATE TABLE "code" ("a" TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID"#,
      #"CREATE TEMPORARY TABLE IF NOT EXISTS "draft" ("a")"#,
      change: { db in
        try db.create(table: "plain") { t in t.column("a") }
        try db.create(table: "draft", temporary: true) { t in t.column("a") }
        try db.create(table: "draft", ifNotExists: true) { t in t.column("a") }
        try db.create(table: "code", withoutRowID: true) { t in t.primaryKey("a", .text) }
        try db.create(table: "draft", temporary: true, ifNotExists: true, withoutRowID: false) {
          $0.column("a")
        }
      }
    ),
    SchemaCase(
      "indexes",
      #"CREATE INDEX "plain" ON "users"("email")"#,
      #"CREATE UNIQUE INDEX "unique" ON "users"("email")"#,
      #"CREATE INDEX IF NOT EXISTS "plain" ON "users"("email")"#,
      #"CREATE UNIQUE INDEX IF NOT EXISTS "some" ON "users"("email") WHERE "id" > 1"#,
      change: { db in
        try db.create(index: "plain", on: "users", columns: ["email"])
        try db.create(index: "unique", on: "users", columns: ["email"], unique: true)
        try db.create(index: "plain", on: "users", columns: ["email"], ifNotExists: true)
        try db.create(
          index: "some",
          on: "users",
          columns: ["email"],
          unique: true,
          ifNotExists: true,
          condition: Column("id") > 1
        )
      }
    ),
    SchemaCase(
      "virtual tables",
      #"CREATE VIRTUAL TABLE "area" USING rtree(id, minX, maxX)"#,
      #"CREATE VIRTUAL TABLE IF NOT EXISTS "area" USING rtree(id, minX, maxX)"#,
      change: { db in
        try db.create(virtualTable: "area", ifNotExists: false, using: "rtree(id, minX, maxX)")
        try db.create(virtualTable: "area", ifNotExists: true, using: "rtree(id, minX, maxX)")
      }
    ),
  ]

  @Test(arguments: definitions)
  func `flags and options create the same`(_ definition: SchemaCase) throws {
    try definition.check()
  }

  @Test func `a virtual table with a flag is kept with its rows and its triggers`() throws {
    try withParents { db in
      for _ in 1...2 {
        try db.create(virtualTable: "search", ifNotExists: true, using: FTS5()) { t in
          t.synchronize(withTable: "users")
          t.column("name")
        }
        try db.execute(sql: "INSERT INTO users (name) VALUES ('Zoe')")
      }
      let sql = "SELECT count(*) FROM search WHERE search MATCH 'zoe'"
      try #expect(Int.fetchOne(db, sql: sql) == 2)
    }
  }
}
