import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseCreateIndexTests {
  @Test(arguments: indexes)
  func `each index definition runs the expected SQL`(_ index: SchemaCase) throws {
    try index.check()
  }

  static let indexes = [
    SchemaCase("ALT-13: an index", #"CREATE INDEX "byEmail" ON "users"("email")"#) { db in
      try db.create(index: "byEmail", on: "users", columns: ["email"])
    },
    SchemaCase(
      "ALT-14: a unique index",
      #"CREATE UNIQUE INDEX "byEmail" ON "users"("email", "name")"#
    ) {
      db in
      try db.create(index: "byEmail", on: "users", columns: ["email", "name"], options: .unique)
    },
    SchemaCase(
      "ALT-15: an index named after its columns",
      #"CREATE INDEX "index_users_on_email" ON "users"("email")"#
    ) { db in
      try db.create(indexOn: "users", columns: ["email"])
    },
    SchemaCase(
      "ALT-15: an index named after several columns",
      #"CREATE INDEX "index_users_on_email_name" ON "users"("email", "name")"#
    ) { db in
      try db.create(indexOn: "users", columns: ["email", "name"])
    },
    SchemaCase(
      "ALT-16: an index that may exist",
      #"CREATE UNIQUE INDEX IF NOT EXISTS "index_users_on_email" ON "users"("email")"#
    ) { db in
      try db.create(indexOn: "users", columns: ["email"], options: [.ifNotExists, .unique])
    },
    SchemaCase(
      "ALT-19, A-062: an index on expressions",
      #"CREATE INDEX "x" ON "users"("id" + 1, "name" COLLATE NOCASE, "email" DESC)"#
    ) { db in
      try db.create(
        index: "x",
        on: "users",
        expressions: [
          Column("id") + 1, Column("name").collating(.nocase), Column("email").desc,
        ]
      )
    },
    SchemaCase(
      "ALT-20: a partial index",
      #"CREATE INDEX "index_users_on_name" ON "users"("name") WHERE "id" = 1"#
    ) { db in
      try db.create(indexOn: "users", columns: ["name"], condition: Column("id") == 1)
    },
    SchemaCase("A-062: reindexing", "REINDEX NOCASE", "REINDEX swiftCompare") { db in
      try db.reindex(collation: .nocase)
      try db.reindex(collation: .unicodeCompare)
    },
  ]

  @Test func `an index is read back from the schema`() throws {
    try withParents { db in
      try db.create(
        index: "x",
        on: "users",
        expressions: [Column("id") + 1, Column("name").collating(.nocase), Column("email").desc],
        options: .unique,
        condition: Column("id") > 0
      )
      let index = try #require(try db.indexes(on: "USERS").first { $0.name == "x" })
      #expect(index.isUnique && index.isPartial && index.origin == .createIndex)
      #expect(index.terms.map(\.column) == [nil, "name", "email"])
      #expect(index.columns == [])
      #expect(index.terms.map(\.collation) == [.binary, .nocase, .binary])
      #expect(index.terms.map(\.isDescending) == [false, false, true])
    }
  }

  @Test func `the condition of a partial index may compare with nil`() throws {
    try withParents { db in
      try expectDefinitions(
        db,
        [
          #"CREATE INDEX "a" ON "users"("name") WHERE "email" IS NOT NULL"#,
          #"CREATE INDEX "b" ON "users"("name") WHERE "email" IS NULL"#,
          #"CREATE INDEX "c" ON "users"("name") WHERE ("email" IS NULL) AND ("id" > 1)"#,
        ]
      ) {
        try db.create(
          index: "a",
          on: "users",
          columns: ["name"],
          condition: Column("email") != nil
        )
        try db.create(
          index: "b",
          on: "users",
          columns: ["name"],
          unique: false,
          condition: Column("email") == nil
        )
        try db.create(
          index: "c",
          on: "users",
          columns: ["name"],
          condition: Column("email") == nil && Column("id") > 1
        )
      }
    }
  }

  @Test func `an index needs columns`() throws {
    try withParents { db in
      expectDatabaseError(.SQLITE_ERROR, "the index x has no columns") {
        try db.create(index: "x", on: "users", columns: [])
      }
    }
  }

}
