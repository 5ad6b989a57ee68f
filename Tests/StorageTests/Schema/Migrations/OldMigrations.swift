import Foundation
import Storage

/// The migrations of a library's app, as they were written in seven years, with one version of GRDB
/// after the other. They must compile and mean the same as long as there are files of the app.
struct OldMigrations {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    #if DEBUG
      // Erased databases would hide mistakes in the migrations.
      migrator.eraseDatabaseOnSchemaChange = false
    #endif
    registerVersion4(&migrator)
    registerVersion5(&migrator)
    registerVersion6(&migrator)
    registerVersion7(&migrator)
    return migrator
  }

  // MARK: - GRDB 4

  private static func registerVersion4(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("2019-05 createLibrary") { db in
      try db.create(table: "branch") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull().unique().collate(.nocase)
        t.column("opened", .date)
        t.column("isPublic", .boolean).notNull().defaults(to: true)
      }
      try db.create(table: "author", ifNotExists: true) { t in
        t.column("id", .integer).primaryKey()
        t.column("name", .text).notNull().indexed()
        t.column("born", .integer).check { $0 > 1000 }
        t.column("died", .integer).check(sql: "died < 3000")
        t.check(Column("died") == nil || Column("died") >= Column("born"))
      }
      try db.create(table: "book", temporary: false, ifNotExists: false, withoutRowID: false) { t in
        t.column("id", .integer).primaryKey(onConflict: .replace, autoincrement: true)
        t.column("title", .text).notNull().defaults(to: "Untitled")
        t.column("authorId", .integer)
          .notNull()
          .indexed()
          .references(
            "author",
            column: "id",
            onDelete: .cascade,
            onUpdate: .cascade,
            deferred: true
          )
        t.column("branchId", .integer).references("branch", onDelete: .setNull)
        t.column("price", .double).defaults(to: 9.5)
        t.column("weight", .numeric)
        t.column("added", .datetime).notNull().defaults(sql: "CURRENT_TIMESTAMP")
        t.column("cover", .blob)
        t.column("note")
      }
      try db.create(index: "bookByTitle", on: "book", columns: ["title"])
      try db.create(
        index: "bookByTitleAndAuthor",
        on: "book",
        columns: ["title", "authorId"],
        unique: true,
        ifNotExists: true,
        condition: Column("title") != "Untitled"
      )
    }

    migrator.registerMigration("2019-09 countries") { db in
      try db.create(table: "country", withoutRowID: true) { t in
        t.column("code", .text).notNull()
        t.column("year", .integer).notNull()
        t.column("name", .text).notNull(onConflict: .fail)
        t.primaryKey(["code", "year"], onConflict: .abort)
        t.uniqueKey(["name", "year"], onConflict: .ignore)
        t.check(sql: "length(code) = 2")
      }
      try db.create(table: "origin") { t in
        t.column("bookId", .integer).notNull().references("book", onDelete: .restrict)
        t.column("code", .text)
        t.column("year", .integer)
        t.foreignKey(
          ["code", "year"],
          references: "country",
          columns: ["code", "year"],
          onDelete: .setDefault,
          onUpdate: .cascade,
          deferred: true
        )
        t.constraint(sql: "CONSTRAINT recent CHECK (year > 1400)")
        t.column(sql: "remark TEXT COLLATE NOCASE")
      }
      try db.execute(
        sql: "INSERT INTO country (code, year, name) VALUES (?, ?, ?)",
        arguments: ["fr", 1958, "France"]
      )
      try db.execute(
        sql: "INSERT INTO branch (name, opened) VALUES (:name, :opened)",
        arguments: ["name": "Centre", "opened": "2001-02-03"]
      )
    }

    migrator.registerMigration("2020-01 search") { db in
      try db.create(virtualTable: "book_ft", ifNotExists: true, using: FTS4()) { t in
        t.synchronize(withTable: "book")
        t.tokenizer = .unicode61()
        t.column("title")
      }
      try db.alter(table: "book") { t in
        t.add(column: "isbn", .text)
        t.add(column: "pages", .integer).notNull().defaults(to: 0)
      }
      try db.alter(table: "branch") { t in t.rename(column: "opened", to: "openedOn") }
      try db.rename(table: "author", to: "writer")
      try db.drop(index: "bookByTitle")
    }
  }

  // MARK: - GRDB 5

  private static func registerVersion5(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("2020-10 full text") { db in
      try db.dropFTS4SynchronizationTriggers(forTable: "book_ft")
      try db.drop(table: "book_ft")
      try db.create(virtualTable: "bookSearch", using: FTS5()) { t in
        t.synchronize(withTable: "book")
        t.tokenizer = .porter(wrapping: .unicode61(diacritics: .remove))
        t.prefixes = [2, 3]
        t.column("title")
        t.column("note").notIndexed()
      }
    }

    // Rebuilds a table as SQLite's documentation says: foreign keys are checked at the end.
    migrator.registerMigration("2021-03 prices are integers") { db in
      try db.create(table: "new_book") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("title", .text).notNull()
        t.column("writerId", .integer).notNull().indexed().references("writer", onDelete: .cascade)
        t.column("cents", .integer).notNull().defaults(to: 0)
        t.column("note", .text)
        t.column("doubled", .integer).generatedAs(sql: "cents * 2")
        t.column("label", .text).generatedAs(Column("title").collating(.nocase), .stored)
      }
      let rows = try Row.fetchCursor(db, sql: "SELECT * FROM book")
      while let row = try rows.next() {
        let price: Double? = row["price"]
        try db.execute(
          literal: """
            INSERT INTO new_book (id, title, writerId, cents)
            VALUES (\(row["id"] as Int64), \(row["title"] as String), \(row["authorId"] as Int64),
              \(price.map { Int($0 * 100) } ?? 0))
            """
        )
      }
      try db.dropFTS5SynchronizationTriggers(forTable: "bookSearch")
      try db.drop(table: "bookSearch")
      try db.drop(table: "book")
      try db.rename(table: "new_book", to: "book")
      try db.create(virtualTable: "bookSearch", using: FTS5()) { t in
        t.synchronize(withTable: "book")
        t.tokenizer = .trigram(caseSensitive: false)
        t.column("title")
      }
      try db.create(index: "book_on_title", on: "book", columns: ["title"], unique: false)
    }

    migrator.registerMigration("2021-07 settings") { db in
      let limit = 5
      try db.create(table: "setting") { t in
        t.column("key", Database.ColumnType("VARCHAR(20)")).primaryKey().notNull()
        t.column(literal: "value TEXT DEFAULT \("it's unset")")
        t.column("owner", Database.ColumnType(rawValue: "UUID"))
        t.constraint(literal: "CHECK (length(value) >= \(limit))")
        t.column("data", .blob).notNull().defaults(to: Data([1, 2]))
      }
      try db.create(
        view: "publicBranch",
        as: SQLRequest(sql: "SELECT * FROM branch WHERE isPublic")
      )
    }
  }

  // MARK: - GRDB 6

  private static func registerVersion6(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("2022-10 members", foreignKeyChecks: .immediate) { db in
      try db.create(table: "member", options: [.ifNotExists, .strict]) { t in
        t.primaryKey("uuid", .text)
        t.belongsTo("branch", onDelete: .cascade).notNull()
        t.belongsTo("sponsor", inTable: "member", onDelete: .setNull, indexed: false)
        t.column("email", .text).unique(onConflict: .replace)
        t.column("info", .any)
      }
      try db.create(table: "loan") { t in
        t.primaryKey(onConflict: .rollback) {
          t.belongsTo("member", onDelete: .cascade)
          t.column("bookId", .integer).references("book", onDelete: .cascade)
        }
        t.column("until", .date)
      }
      try db.create(index: "loan_until", on: "loan", columns: ["until"], options: [.ifNotExists])
      try db.create(
        indexOn: "loan",
        columns: ["until", "bookId"],
        options: .unique,
        condition: Column("until") != nil
      )
      try db.create(
        index: "member_email",
        on: "member",
        expressions: [Column("email").collating(.nocase), Column("info")],
        options: [.unique, .ifNotExists]
      )
    }

    migrator.registerMigration("2023-04 views") { db in
      try db.create(
        view: "recentBook",
        options: [.ifNotExists],
        columns: ["id", "name"],
        asLiteral: "SELECT id, title FROM book WHERE id > \(100)"
      )
      try db.create(
        view: "cheapBook",
        as: Table("book").filter(Column("cents") < 500).order(Column("title"))
      )
      try db.execute(
        sql: """
          CREATE TRIGGER loan_insert AFTER INSERT ON loan
          BEGIN UPDATE book SET note = 'lent' WHERE id = new.bookId; END
          """
      )
      try db.drop(index: "loan_until")
      try db.alter(table: "book") { t in t.drop(column: "doubled") }
    }
  }

  // MARK: - GRDB 7

  private static func registerVersion7(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("2025-02 JSON") { db in
      try db.alter(table: "member") { t in
        t.addColumn(sql: "nickname TEXT")
        t.addColumn(literal: "kind TEXT DEFAULT \("adult")")
      }
      try db.create(table: "event") { t in
        t.autoIncrementedPrimaryKey("id", onConflict: .abort)
        t.column("payload", .jsonText).notNull()
        t.belongsTo("member", onUpdate: .cascade, deferred: true).unique()
      }
      try db.drop(indexOn: "loan", columns: ["until", "bookId"])
    }

    migrator = migrator.disablingDeferredForeignKeyChecks()
    migrator.registerMigration(
      "2025-06 merged",
      merging: ["2025-03 beta", "2025-04 beta"]
    ) { db, appliedIDs in
      if !appliedIDs.contains("2025-03 beta") {
        try db.create(virtualTable: "area", options: .ifNotExists, using: "rtree(id, minX, maxX)")
      }
      if !appliedIDs.contains("2025-04 beta") {
        try db.create(table: "scratch", options: .temporary) { t in
          t.column("a", .real)
        }
      }
      try db.checkForeignKeys(in: "loan")
    }
  }
}
