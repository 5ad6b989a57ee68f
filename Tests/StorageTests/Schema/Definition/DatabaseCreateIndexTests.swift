import Storage
import Testing

@Suite struct IndexAndViewTests {
  @Test(arguments: indexes) func `Indexes`(_ index: SchemaCase) throws { try index.check() }

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
      #"CREATE INDEX "index_users_on_email_and_name" ON "users"("email", "name")"#
    ) { db in
      try db.create(indexOn: "users", columns: ["email", "name"])
    },
    SchemaCase(
      "ALT-16: an index that may be there",
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

  @Test func `An index is read back from the schema`() throws {
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
      #expect(index.columns == ["name", "email"])
      #expect(index.terms.map(\.collation) == [.binary, .nocase, .binary])
      #expect(index.terms.map(\.isDescending) == [false, false, true])
    }
  }

  @Test func `An index needs columns`() throws {
    try withParents { db in
      expectDatabaseError(.SQLITE_ERROR, "the index x has no columns") {
        try db.create(index: "x", on: "users", columns: [])
      }
    }
  }

  @Test(arguments: views) func `Views`(_ view: SchemaCase) throws { try view.check() }

  static let views = [
    SchemaCase(
      "A-061: a view of a request",
      #"CREATE VIEW "hero" AS SELECT "id", "name" FROM "users" WHERE "name" > 'O''Brien' LIMIT 3"#
    ) { db in
      let request = Table("users").filter(Column("name") > "O'Brien")
        .select([Column("id"), Column("name")]).limit(3)
      try db.create(view: "hero", as: request)
    },
    SchemaCase(
      "A-061: a view of SQL",
      #"CREATE TEMPORARY VIEW IF NOT EXISTS "hero" ("a", "b") AS SELECT id, 'x' FROM users"#
    ) { db in
      let request: SQLRequest<Row> = "SELECT id, \("x") FROM users"
      try db.create(
        view: "hero",
        options: [.temporary, .ifNotExists],
        columns: ["a", "b"],
        as: request
      )
    },
    SchemaCase("A-061: a view of a literal", #"CREATE VIEW "hero" AS SELECT 1 AS x"#) { db in
      try db.create(view: "hero", asLiteral: "SELECT \(1) AS x")
    },
  ]

  @Test func `A view is read back from the schema, and can be fetched`() throws {
    try withParents { db in
      try db.execute(sql: "INSERT INTO users VALUES (1, 'a@x', 'Arthur'), (2, 'b@x', 'Barbara')")
      try db.create(view: "hero", as: Table("users").filter(Column("name") > "B"))
      try #expect(db.viewExists("HERO") && !db.tableExists("hero"))
      try #expect(db.columns(in: "hero").map(\.name) == ["id", "email", "name"])
      try #expect(Table("hero").fetchAll(db).map { $0["name"] } == ["Barbara"])
    }
  }
}
