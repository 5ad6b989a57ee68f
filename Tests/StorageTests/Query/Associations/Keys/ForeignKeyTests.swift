import Storage
import Testing

@testable import StorageTestSupport

@Suite struct ForeignKeyTests {
  private struct A: TableRecord {}
  private struct B: TableRecord {}

  private func expectError(
    _ schema: String,
    _ message: String,
    code: ResultCode = .SQLITE_MISUSE,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ request: some FetchRequest
  ) throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: schema)
      expectDatabaseError(code, message, sourceLocation: sourceLocation) {
        _ = try request.makePreparedRequest(db)
      }
    }
  }

  @Test func `a missing table is an error that does not speak of keys`() throws {
    let a = "CREATE TABLE a (id INTEGER PRIMARY KEY, bID INTEGER)"
    let requests: [any FetchRequest] = [
      A.including(optional: A.belongsTo(B.self)),
      A.including(optional: A.belongsTo(B.self, using: ForeignKey(["bID"]))),
      A.including(required: A.hasOne(B.self)),
      A.including(all: A.hasMany(B.self)),
      A.joining(required: A.hasMany(B.self)),
      A.annotated(with: A.hasMany(B.self).count),
      A.including(all: A.hasMany(A.self, through: Table("b"))),
    ]
    for request in requests {
      try expectError(a, "no such table: b", code: .SQLITE_ERROR, request)
    }
    try expectError(a, "no such table: b", code: .SQLITE_ERROR, B.including(all: B.hasMany(A.self)))
  }

  @Test func `a missing foreign key is an error that says what to write`() throws {
    try expectError(
      "CREATE TABLE a (id INTEGER PRIMARY KEY, bID INTEGER); CREATE TABLE b (id INTEGER PRIMARY KEY)",
      """
      the table a has no foreign key to b (it has none): declare one in the schema, or write \
      using: ForeignKey([…], to: […]) in the association
      """,
      A.including(optional: A.belongsTo(B.self))
    )
    try expectError(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, aID INTEGER REFERENCES a);
      CREATE TABLE b (id INTEGER PRIMARY KEY)
      """,
      """
      the table a has no foreign key to b (it has aID → a): declare one in the schema, or write \
      using: ForeignKey([…], to: […]) in the association
      """,
      B.including(all: B.hasMany(A.self))
    )
  }

  @Test func `the error names the table between, and a common table expression`() throws {
    let schema = """
      CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (id INTEGER PRIMARY KEY);
      CREATE TABLE ab (aID INTEGER REFERENCES a(id), bID INTEGER)
      """
    for request in [
      A.including(all: A.hasMany(B.self, through: Table("ab"))),
      A.joining(required: A.hasMany(B.self, through: Table("ab"))),
    ] {
      let queue = try DatabaseQueue()
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: schema)
        try db.execute(sql: "INSERT INTO a VALUES (1)")
        expectDatabaseError(
          .SQLITE_MISUSE,
          """
          the table ab has no foreign key to b (it has aID → a): declare one in the schema, or \
          write using: ForeignKey([…], to: […]) in the association
          """
        ) {
          _ = try Row.fetchAll(db, request)
        }
      }
    }
    let ids = CommonTableExpression<Row>(named: "ids", sql: "SELECT 1 AS aID")
    try expectError(
      schema,
      """
      ids is a common table expression, which has no foreign key to a: write using: \
      ForeignKey([…], to: […]) in the association
      """,
      A.including(all: A.hasMany(ids)).with(ids)
    )
    try expectError(
      schema,
      """
      the table ab has no foreign key to ids, which is a common table expression: write using: \
      ForeignKey([…], to: […]) in the association
      """,
      Table("ab").joining(required: Table("ab").belongsTo(ids)).with(ids)
    )
  }

  @Test func `several foreign keys are an error that names them`() throws {
    let schema = """
      CREATE TABLE b (id INTEGER PRIMARY KEY);
      CREATE TABLE a (id INTEGER PRIMARY KEY, b1 REFERENCES b(id), b2 REFERENCES b(id));
      """
    try expectError(
      schema,
      """
      the table a has several foreign keys to b: choose one with using: ForeignKey(["b2"]) or \
      using: ForeignKey(["b1"]) in the association
      """,
      A.joining(required: A.belongsTo(B.self))
    )
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: schema)
      let key = ForeignKey([Column("B1")])
      expectSQL(
        try A.joining(required: A.belongsTo(B.self, using: key)).makePreparedRequest(db).statement,
        #"SELECT "a".* FROM "a" JOIN "b" ON "b"."id" = "a"."b1""#
      )
    }
  }

  @Test func `a wrong column is an error that names the columns`() throws {
    let schema =
      "CREATE TABLE a (id INTEGER PRIMARY KEY, bID); CREATE TABLE b (x, y, PRIMARY KEY (x, y))"
    try expectError(
      schema,
      """
      the foreign key of the association names the column bId2, which a does not have: its \
      columns are id, bID
      """,
      A.including(optional: A.belongsTo(B.self, using: ForeignKey(["bId2"], to: ["x"])))
    )
    try expectError(
      schema,
      """
      the foreign key on bID does not say to which columns of b it refers, whose primary key is \
      x, y: write ForeignKey(["bID"], to: […])
      """,
      A.including(optional: A.belongsTo(B.self, using: ForeignKey(["bID"])))
    )
  }

  @Test func `a column that is in no key is an error, also where the schema has a foreign key`()
    throws
  {
    try expectError(
      """
      CREATE TABLE b (id INTEGER PRIMARY KEY);
      CREATE TABLE a (id INTEGER PRIMARY KEY, bID REFERENCES b(id));
      """,
      """
      the foreign key of the association names the column b_id, which a does not have: its \
      columns are id, bID
      """,
      A.including(optional: A.belongsTo(B.self, using: ForeignKey(["b_id"])))
    )
    try expectError(
      "CREATE TABLE b (id INTEGER PRIMARY KEY); CREATE TABLE a (bID)",
      """
      the foreign key of the association names the column code, which b does not have: its \
      columns are id
      """,
      B.including(all: B.hasMany(A.self, using: ForeignKey(["bID"], to: ["code"])))
    )
  }

  @Test func `columns that the schema does not connect are connected by the request`() throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: "CREATE TABLE a (bID); CREATE TABLE b (code); CREATE VIEW v AS SELECT * FROM a"
      )
      let key = ForeignKey(["bID"], to: ["code"])
      expectSQL(
        try A.including(required: A.belongsTo(B.self, using: key)).makePreparedRequest(db)
          .statement,
        #"SELECT "a".*, "b".* FROM "a" JOIN "b" ON "b"."code" = "a"."bID""#
      )
      struct V: TableRecord {}
      expectSQL(
        try V.joining(required: V.belongsTo(B.self, using: key)).makePreparedRequest(db).statement,
        #"SELECT "v".* FROM "v" JOIN "b" ON "b"."code" = "v"."bID""#
      )
      let rowID = ForeignKey(["bID"], to: ["rowid"])
      try db.execute(sql: "INSERT INTO b VALUES ('x'); INSERT INTO a VALUES (1)")
      let rows = try Row.fetchAll(db, B.including(all: B.hasMany(A.self, using: rowID)))
      #expect(rows[0].columnNames == ["code"])
      #expect(rows[0].prefetchedRows["as"]?.count == 1)
    }
  }
}
