import Foundation
import Storage
import Testing

@Suite struct OldMigrationsTests {
  private static let migrator = OldMigrations.migrator

  /// The SQL of all objects, by name, without SQLite's own objects and shadow tables.
  private static func schema(_ db: Database) throws -> [String: String] {
    let hidden = ["bookSearch_", "area_", "wellspring_migrations"]
    let objects = try db.schemaObjects().filter { object in
      object.sql != nil && !hidden.contains { object.name.hasPrefix($0) }
    }
    return Dictionary(uniqueKeysWithValues: objects.map { ($0.name, $0.sql!) })
  }

  private static let expectedSchema = [
    "area": #"CREATE VIRTUAL TABLE "area" USING rtree(id, minX, maxX)"#,
    "book": """
    CREATE TABLE "book" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "title" TEXT NOT NULL, \
    "writerId" INTEGER NOT NULL REFERENCES "writer"("id") ON DELETE CASCADE, \
    "cents" INTEGER NOT NULL DEFAULT 0, "note" TEXT, \
    "label" TEXT GENERATED ALWAYS AS ("title" COLLATE NOCASE) STORED)
    """,
    "bookSearch": """
    CREATE VIRTUAL TABLE "bookSearch" USING fts5(title, tokenize='trigram case_sensitive 0', \
    content='book', content_rowid='id')
    """,
    "__bookSearch_ai": """
    CREATE TRIGGER "__bookSearch_ai" AFTER INSERT ON "book" BEGIN
      INSERT INTO "bookSearch" (rowid, "title") VALUES (new."id", new."title");
    END
    """,
    "__bookSearch_ad": """
    CREATE TRIGGER "__bookSearch_ad" AFTER DELETE ON "book" BEGIN
      INSERT INTO "bookSearch" ("bookSearch", rowid, "title") \
    VALUES ('delete', old."id", old."title");
    END
    """,
    "__bookSearch_au": """
    CREATE TRIGGER "__bookSearch_au" AFTER UPDATE ON "book" BEGIN
      INSERT INTO "bookSearch" ("bookSearch", rowid, "title") \
    VALUES ('delete', old."id", old."title");
      INSERT INTO "bookSearch" (rowid, "title") VALUES (new."id", new."title");
    END
    """,
    "book_on_title": #"CREATE INDEX "book_on_title" ON "book"("title")"#,
    "new_book_on_writerId": #"CREATE INDEX "new_book_on_writerId" ON "book"("writerId")"#,
    "branch": """
    CREATE TABLE "branch" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, \
    "name" TEXT NOT NULL UNIQUE COLLATE NOCASE, "openedOn" DATE, \
    "isPublic" BOOLEAN NOT NULL DEFAULT 1)
    """,
    "cheapBook": """
    CREATE VIEW "cheapBook" AS SELECT * FROM "book" WHERE "cents" < 500 ORDER BY "title"
    """,
    "country": """
    CREATE TABLE "country" ("code" TEXT NOT NULL, "year" INTEGER NOT NULL, \
    "name" TEXT NOT NULL ON CONFLICT FAIL, PRIMARY KEY ("code", "year"), \
    UNIQUE ("name", "year") ON CONFLICT IGNORE, CHECK (length(code) = 2)) WITHOUT ROWID
    """,
    "event": """
    CREATE TABLE "event" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "payload" TEXT NOT NULL, \
    "memberUuid" TEXT UNIQUE REFERENCES "member"("uuid") ON UPDATE CASCADE \
    DEFERRABLE INITIALLY DEFERRED)
    """,
    "loan": """
    CREATE TABLE "loan" ("memberUuid" TEXT NOT NULL REFERENCES "member"("uuid") \
    ON DELETE CASCADE, "bookId" INTEGER NOT NULL REFERENCES "book"("id") ON DELETE CASCADE, \
    "until" DATE, PRIMARY KEY ("memberUuid", "bookId") ON CONFLICT ROLLBACK)
    """,
    "loan_insert": """
    CREATE TRIGGER loan_insert AFTER INSERT ON loan
    BEGIN UPDATE book SET note = 'lent' WHERE id = new.bookId; END
    """,
    "loan_on_memberUuid": #"CREATE INDEX "loan_on_memberUuid" ON "loan"("memberUuid")"#,
    "member": """
    CREATE TABLE "member" ("uuid" TEXT PRIMARY KEY NOT NULL, \
    "branchId" INTEGER NOT NULL REFERENCES "branch"("id") ON DELETE CASCADE, \
    "sponsorUuid" TEXT REFERENCES "member"("uuid") ON DELETE SET NULL, \
    "email" TEXT UNIQUE ON CONFLICT REPLACE, "info" ANY, nickname TEXT, \
    kind TEXT DEFAULT 'adult') STRICT
    """,
    "member_email": """
    CREATE UNIQUE INDEX "member_email" ON "member"("email" COLLATE NOCASE, "info")
    """,
    "member_on_branchId": #"CREATE INDEX "member_on_branchId" ON "member"("branchId")"#,
    "origin": """
    CREATE TABLE "origin" ("bookId" INTEGER NOT NULL REFERENCES "book"("id") \
    ON DELETE RESTRICT, "code" TEXT, "year" INTEGER, remark TEXT COLLATE NOCASE, \
    FOREIGN KEY ("code", "year") REFERENCES "country"("code", "year") ON DELETE SET DEFAULT \
    ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED, CONSTRAINT recent CHECK (year > 1400))
    """,
    "publicBranch": #"CREATE VIEW "publicBranch" AS SELECT * FROM branch WHERE isPublic"#,
    "recentBook": """
    CREATE VIEW "recentBook" ("id", "name") AS SELECT id, title FROM book WHERE id > 100
    """,
    "setting": """
    CREATE TABLE "setting" ("key" VARCHAR(20) PRIMARY KEY NOT NULL, \
    value TEXT DEFAULT 'it''s unset', "owner" UUID, "data" BLOB NOT NULL DEFAULT x'0102', \
    CHECK (length(value) >= 5))
    """,
    "writer": """
    CREATE TABLE "writer" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, \
    "born" INTEGER CHECK ("born" > 1000), "died" INTEGER CHECK (died < 3000), \
    CHECK (("died" IS NULL) OR ("died" >= "born")))
    """,
    "author_on_name": #"CREATE INDEX "author_on_name" ON "writer"("name")"#,
  ]

  private static func expectSchema(_ db: Database) throws {
    let schema = try schema(db)
    for name in Set(schema.keys).union(expectedSchema.keys).sorted() {
      #expect(schema[name] == expectedSchema[name], "\(name)")
    }
  }

  @Test func `migrations of seven years create the schema that they describe`() throws {
    let queue = try DatabaseQueue()
    let writer: any DatabaseWriter = queue
    try Self.migrator.migrate(writer)
    try queue.read { db in
      try Self.expectSchema(db)
      try #expect(Self.migrator.hasCompletedMigrations(db))
      try #expect(Self.migrator.appliedMigrations(db) == Self.migrator.migrations)
      try #expect(!Self.migrator.hasSchemaChanges(db))
    }
  }

  @Test func `each version of the app may have migrated the file`() throws {
    let queue = try DatabaseQueue()
    for identifier in Self.migrator.migrations {
      try Self.migrator.migrate(queue, upTo: identifier)
      try queue.read { db in
        try #expect(Self.migrator.completedMigrations(db).last == identifier)
        try #expect(!Self.migrator.hasSchemaChanges(db))
      }
    }
    try queue.read(Self.expectSchema)
  }

  @Test func `rows of old versions reach the new schema`() throws {
    let queue = try DatabaseQueue()
    try Self.migrator.migrate(queue, upTo: "2020-10 full text")
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO writer (id, name, born) VALUES (1, 'Verne', 1828);
          INSERT INTO book (id, title, authorId, price) VALUES (7, 'Around the World', 1, 4.25);
          INSERT INTO book (id, title, authorId, price) VALUES (8, 'Mysterious Island', 1, NULL);
          INSERT INTO origin (bookId, code, year) VALUES (7, 'fr', 1958);
          """
      )
    }
    try Self.migrator.migrate(queue)
    try queue.write { db in
      let books = try Row.fetchAll(db, sql: "SELECT id, title, cents FROM book ORDER BY id")
      #expect(
        books.map(\.description) == [
          "[id:7 title:'Around the World' cents:425]",
          "[id:8 title:'Mysterious Island' cents:0]",
        ]
      )
      try #expect(
        Int.fetchAll(db, sql: "SELECT rowid FROM bookSearch WHERE bookSearch MATCH 'land'") == [8]
      )
      // Replacing the table has deleted nothing, because foreign keys were not enforced meanwhile.
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM origin") == 1)
      try #expect(db.foreignKeyViolations().isEmpty)
      try db.execute(
        sql: """
          INSERT INTO member (uuid, branchId) VALUES ('m', 1);
          INSERT INTO loan (memberUuid, bookId) VALUES ('m', 7);
          """
      )
      try #expect(String.fetchOne(db, sql: "SELECT note FROM book WHERE id = 7") == "lent")
      try #expect(String.fetchOne(db, sql: "SELECT name FROM publicBranch") == "Centre")
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM cheapBook") == [7, 8])
    }
  }

  @Test func `files of beta versions skip what was merged`() throws {
    let queue = try DatabaseQueue()
    try Self.migrator.migrate(queue, upTo: "2025-02 JSON")
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE "area" USING rtree(id, minX, maxX);
          INSERT INTO wellspring_migrations VALUES ('2025-03 beta');
          """
      )
    }
    try Self.migrator.migrate(queue)
    try queue.read { db in
      try Self.expectSchema(db)
      try #expect(Self.migrator.appliedIdentifiers(db) == Set(Self.migrator.migrations))
    }
  }
}
