import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseDropTests {
  @Test(arguments: cases)
  func `tables and indexes are dropped`(_ change: SchemaCase) throws {
    try change.check()
  }

  static let cases = [
    SchemaCase("ALT-11: drop a table", #"DROP TABLE "users""#) { db in
      try db.drop(table: "users")
      try #expect(!db.tableExists("users"))
    },
    SchemaCase(
      "ALT-12, ALT-18: objects that may not exist",
      #"DROP TABLE IF EXISTS "a""#,
      #"DROP VIEW IF EXISTS "b""#,
      #"DROP INDEX IF EXISTS "c""#,
      #"DROP TRIGGER IF EXISTS "d""#
    ) { db in
      try db.drop(table: "a", ifExists: true)
      try db.drop(view: "b", ifExists: true)
      try db.drop(index: "c", ifExists: true)
      try db.drop(trigger: "d", ifExists: true)
      try db.drop(indexOn: "users", columns: ["name"], ifExists: true)
    },
    SchemaCase(
      "ALT-17: drop an index by its columns",
      #"CREATE INDEX "index_users_on_name" ON "users"("name")"#,
      #"CREATE INDEX "other" ON "users"("name", "email")"#,
      #"DROP INDEX "index_users_on_name""#
    ) { db in
      try db.create(indexOn: "users", columns: ["name"])
      try db.create(index: "other", on: "users", columns: ["name", "email"])
      try db.drop(indexOn: "users", columns: ["NAME"])
      try #expect(db.indexExists("other") && !db.indexExists("index_users_on_name"))
    },
    SchemaCase(
      "a partial index, unless a complete one is on the same columns",
      #"CREATE INDEX "some" ON "users"("name") WHERE "id" > 1"#,
      #"CREATE INDEX "all" ON "users"("name")"#,
      #"DROP INDEX "all""#,
      #"DROP INDEX "some""#
    ) { db in
      try db.create(index: "some", on: "users", columns: ["name"], condition: Column("id") > 1)
      try db.create(index: "all", on: "users", columns: ["name"])
      try db.drop(indexOn: "users", columns: ["name"])
      try db.drop(indexOn: "users", columns: ["name"])
    },
  ]

  @Test func `ALT-17: dropping an index by its columns requires exactly one such index`() throws {
    try withParents { db in
      expectDatabaseError(.SQLITE_ERROR, "no such index: users(name)") {
        try db.drop(indexOn: "users", columns: ["name"])
      }
      // The index of a constraint cannot be dropped.
      expectDatabaseError(.SQLITE_ERROR, "no such index: users(email)") {
        try db.drop(indexOn: "users", columns: ["email"])
      }
      try db.create(index: "a", on: "users", columns: ["name"])
      try db.create(index: "b", on: "users", columns: ["name"])
      expectDatabaseError(
        .SQLITE_ERROR,
        "several indexes are on users(name): drop one by its name (b, a)"
      ) {
        try db.drop(indexOn: "users", columns: ["name"])
      }
    }
  }
}
