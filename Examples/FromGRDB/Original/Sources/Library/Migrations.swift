import Foundation
import GRDB

extension LibraryDatabase {
  /// Every migration since the first release. Migrations never change once they have shipped.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()

    migrator.registerMigration("2017-books") { db in
      try db.create(table: "author") { t in
        t.column("id", .integer).primaryKey()
        t.column("name", .text).notNull().collate(.nocase)
      }
      try db.create(table: "book", ifNotExists: true) { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("authorId", .integer).notNull().indexed()
          .references("author", onDelete: .cascade)
        t.column("title", .text).notNull().check { length($0) > 0 }
        t.column("year", .integer).check(sql: "year IS NULL OR year > 1400")
        t.column("copies", .integer).notNull().defaults(to: 1)
      }
    }

    migrator.registerMigration("2018-members") { db in
      try db.create(table: "member", temporary: false) { t in
        t.column("id", .blob).primaryKey()
        t.column("name", .text).notNull()
        t.column("email", .text).unique(onConflict: .abort)
        t.column("standing", .integer).notNull().defaults(to: Member.Standing.good)
        t.check(Column("standing") >= 0)
      }
      try db.execute(
        sql: """
          CREATE TABLE loan (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            bookId INTEGER NOT NULL REFERENCES book(id),
            memberId BLOB NOT NULL REFERENCES member(id),
            lentOn TEXT NOT NULL,
            returnedOn TEXT
          )
          """
      )
      try db.create(index: "loan_on_memberId", on: "loan", columns: ["memberId"])
    }

    migrator.registerMigration("2019-search") { db in
      try db.create(virtualTable: "book_ft", using: FTS5()) { t in
        t.synchronize(withTable: "book")
        t.tokenizer = .porter(wrapping: .unicode61())
        t.column("title")
      }
    }

    migrator.registerMigration("2020-isbn") { db in
      try db.alter(table: "book") { t in
        t.add(column: "isbn", .text)
        t.add(column: "shelf", .text).notNull().defaults(to: "fiction")
      }
      try db.create(
        index: "book_on_isbn",
        on: "book",
        columns: ["isbn"],
        unique: true,
        ifNotExists: true,
        condition: Column("isbn") != nil
      )
    }

    migrator.registerMigration("2021-subjects") { db in
      try db.create(table: "subject", withoutRowID: true) { t in
        t.column("code", .text).notNull().primaryKey()
        t.column("label", .text).notNull()
      }
      try db.create(table: "filing") { t in
        t.column("bookId", .integer).notNull().references("book", onDelete: .cascade)
        t.column("subjectCode", .text).notNull()
        t.primaryKey(["bookId", "subjectCode"])
        t.foreignKey(["subjectCode"], references: "subject", onUpdate: .cascade)
      }
    }

    migrator.registerMigration("2022-authors") { db in
      try db.alter(table: "author") { t in
        t.add(column: "country", .text)
      }
      for (name, country) in [("Jules Verne", "FR"), ("Tove Jansson", "FI")] {
        try db.execute(
          literal: "UPDATE author SET country = \(country) WHERE name = \(name)"
        )
      }
    }

    migrator.registerMigration("2023-person") { db in
      try db.rename(table: "member", to: "person")
      try db.alter(table: "book") { t in
        t.add(column: "tags", .jsonText).notNull().defaults(to: "[]")
        t.add(column: "addedAt", .double)
        t.addColumn(sql: "titleLength INTEGER GENERATED ALWAYS AS (length(title)) VIRTUAL")
      }
    }

    migrator.registerMigration("2024-journal", foreignKeyChecks: .immediate) { db in
      try db.create(table: "journal", options: [.strict]) { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("entry", .text).notNull()
        t.column("at", .text).notNull()
      }
      try db.create(indexOn: "loan", columns: ["bookId", "returnedOn"])
      try db.create(
        view: "openLoan",
        as: SQLRequest<Row>(sql: "SELECT * FROM loan WHERE returnedOn IS NULL")
      )
    }

    return migrator
  }
}
