import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseCreateViewTests {
  @Test(arguments: views)
  func `each view definition runs the expected SQL`(_ view: SchemaCase) throws {
    try view.check()
  }

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
    SchemaCase(
      "views of requests whose type is not written",
      #"CREATE VIEW "a" AS SELECT 1 AS x"#,
      #"CREATE VIEW "b" AS SELECT * FROM users WHERE name = 'O''Brien'"#,
      #"CREATE VIEW "c" AS SELECT 2"#
    ) { db in
      try db.create(view: "a", as: SQLRequest(sql: "SELECT 1 AS x"))
      try db.create(
        view: "b",
        as: SQLRequest(literal: "SELECT * FROM users WHERE name = \("O'Brien")")
      )
      try db.create(view: "c", as: "SELECT \(2)")
    },
    SchemaCase("A-061: a view of a literal", #"CREATE VIEW "hero" AS SELECT 1 AS x"#) { db in
      try db.create(view: "hero", asLiteral: "SELECT \(1) AS x")
    },
  ]

  @Test func `a view is read back from the schema, and can be fetched`() throws {
    try withParents { db in
      try db.execute(sql: "INSERT INTO users VALUES (1, 'a@x', 'Arthur'), (2, 'b@x', 'Barbara')")
      try db.create(view: "hero", as: Table("users").filter(Column("name") > "B"))
      try #expect(db.viewExists("HERO") && !db.tableExists("hero"))
      try #expect(db.columns(in: "hero").map(\.name) == ["id", "email", "name"])
      try #expect(Table("hero").fetchAll(db).map { $0["name"] } == ["Barbara"])
    }
  }
}
