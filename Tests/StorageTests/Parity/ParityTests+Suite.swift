import Foundation
import Storage
import Testing

@testable import StorageTestSupport

// The differences that GRDB's own tests showed.

extension ParityTests {
  /// Defects, each with the right value.
  static let defects: [ParityLine] = [
    .same(.defect(2), #""… WHERE id IN (\(request))""#) {
      try withPlayers { db throws in
        let good = Player.filter { $0.id != 2 }.select(Column("id"))
        let ids: SQLRequest<Int64> = "SELECT id FROM player WHERE id IN (\(good)) ORDER BY id"
        #expect(try ids.fetchAll(db) == [1, 3])
        let others: SQLRequest<Int64> = "SELECT id FROM player WHERE id NOT IN (\(good))"
        #expect(try others.fetchAll(db) == [2])
        let both: SQLRequest<Int64> = "\(good) UNION \(Team.select(Column("id"))) ORDER BY 1"
        #expect(try both.fetchAll(db) == [1, 2, 3])
        try db.execute(literal: "INSERT INTO note \(Player.select(Column("name")))")
        #expect(try Table("note").fetchCount(db) == 3)
        let leaders = CommonTableExpression(named: "leader", request: good)
        let all: SQLRequest<Int64> = "WITH \(definitionFor: leaders) \(leaders.all())"
        #expect(try all.fetchSet(db) == [1, 3])
        #expect(try SQLRequest<Bool>("SELECT EXISTS (\(good))").fetchOne(db) == true)
      }
    },
    .same(.defect(4), "including(required: team.order(…)).reversed(), unordered()") {
      let request = Book.joining(required: Book.author.order(\.name))
      let sql = #"SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorID""#
      try expectLibrarySQL(request.reversed(), sql + #" ORDER BY "author"."name" DESC"#)
      try expectLibrarySQL(request.unordered(), sql)
    },
    .same(.defect(7), "including(all:) twice, through pivots of different names") {
      func books(_ name: String, _ room: String) -> HasManyThroughAssociation<Shelf, Book> {
        let copies = Shelf.copies.filter(Column("room") == room).forKey(name)
        return Shelf.hasMany(Book.self, through: copies, using: Copy.book)
      }
      try withLibrary { db throws in
        let request = Shelf.including(all: books("inA", "A").forKey("booksInA"))
          .including(all: books("inB", "B").forKey("booksInB"))
        let rows = try Row.fetchAll(db, request.order(Column("room"), Column("number")))
        #expect(rows.map { $0.prefetchedRows["booksInA"]?.count } == [3, 0, 0])
        #expect(rows.map { $0.prefetchedRows["booksInB"]?.count } == [0, 0, 1])
      }
    },
    .same(.defect(10), #"including(required: hasMany.forKey("novels"))"#) {
      try withLibrary { db throws in
        let row = try Row.fetchOne(db, Author.including(required: Author.books.forKey("novels")))
        #expect(row?.scopes["novel"] != nil)
      }
    },
    .same(.defect(12), "annotated(with: cast(Author.books.count, as: .real))") {
      try withLibrary { db throws in
        let request = Author.annotated(with: cast(Author.books.count, as: .real))
        #expect(try Row.fetchOne(db, request.order(\.id))?["bookCount"] as Double? == 2)
      }
    },
    .same(.defect(16), #"select(Column("name")).deleteAndFetchCursor(db)"#) {
      try withPlayers { db throws in
        try expectSQL(db, #"DELETE FROM "player" RETURNING *"#) {
          let cursor = try Player.select(Column("name")).deleteAndFetchCursor(db)
          #expect(try Array(cursor).map(\.id) == [1, 2, 3])
        }
      }
    },
    .same(.defect(17), "db.dumpRequest(request.including(all:))") {
      try withLibrary { db throws in
        let text = Text()
        let request = Author.filter { $0.id == 1 }.including(all: Author.books)
        try db.dumpRequest(request, to: text)
        #expect(
          text.text == """
            1|Melville|US|

            books
            1|Moby-Dick|1851|1|
            2|Typee|1846|1|3

            """
        )
      }
    },
    .same(.defect(19), "alias.exists of a view") {
      try withLibrary { db throws in
        try db.execute(sql: "CREATE VIEW old AS SELECT authorID FROM book WHERE year < 1850")
        let alias = TableAlias(name: "o")
        let old = Author.association(to: Table("old")) { $1["authorID"] == $0["id"] }
        let request = Author.joining(optional: old.aliased(alias)).filter(alias.exists)
        #expect(try request.fetchAll(db).map(\.name) == ["Melville"])
      }
    },
    .documented(.defect(24), "PersistenceContainer(record)", "try record.encode(to: &container)"),
  ]

  /// Spellings that tests of GRDB use.
  static let spellings: [ParityLine] = [
    .same(.spelling(1), "SQLRequest(sql:), SQLRequest(literal:)") {
      try withPlayers { db throws in
        let request = SQLRequest(sql: "SELECT name FROM player WHERE id = ?", arguments: [1])
        let rows: [Row] = try request.fetchAll(db)
        #expect(rows == [["name": "Arthur"]])
        let row = try SQLRequest(literal: "SELECT \(1) AS a", cached: false).fetchOne(db)
        #expect(row == ["a": 1])
        #expect(try SQLRequest<Int>(sql: "SELECT 1").fetchOne(db) == 1)
        let typed: SQLRequest<String> = SQLRequest(literal: "SELECT \("a")")
        #expect(try typed.fetchOne(db) == "a")
        #expect(try Int.fetchOne(db, SQLRequest(sql: "SELECT 2")) == 2)
      }
    },
    .same(.spelling(2), #"[Author.hasMany(Book.self), Author.hasMany(Table<Book>("book"))]"#) {
      let key = Book.authorKey
      for association in [
        Author.hasMany(Book.self, using: key), Author.hasMany(Table<Book>("book"), using: key),
      ] {
        try withLibrary { db throws in
          #expect(try Author.including(all: association).fetchCount(db) == 4)
        }
      }
      for association in [Award.belongsTo(Book.self), Award.belongsTo(Table<Book>("book"))] {
        try expectLibrarySQL(
          Award.including(required: association),
          #"SELECT "award".*, "book".* FROM "award" JOIN "book" ON "book"."id" = "award"."bookID""#
        )
      }
      for association in [Book.hasOne(Cover.self), Book.hasOne(Table<Cover>("cover"))] {
        try expectLibrarySQL(
          Book.joining(required: association),
          #"SELECT "book".* FROM "book" JOIN "cover" ON "cover"."bookID" = "book"."id""#
        )
      }
    },
    .documented(.spelling(3), "Bools as conditions", "`filter(flag.databaseValue)`"),
    .same(.spelling(4), "db.add(tokenizer:) without try") {
      try DatabaseQueue().writeWithoutTransaction { db throws in
        db.add(tokenizer: LetterTokenizer.self)
        let tokens = try db.makeTokenizer(LetterTokenizer.tokenizerDescriptor())
          .tokenize(document: "ab").map(\.token)
        #expect(tokens == ["a", "b"])
      }
    },
    .same(.spelling(5), "Table<T>.filter(ids:), deleteAll(db, ids:) of an optional id") {
      struct Draft: Codable, Identifiable, FetchableRecord, MutablePersistableRecord {
        var id: Int64?
        var name: String
      }
      try withPlayers { db throws in
        let table = Table<Draft>("player")
        let ids: [Int64] = [1, 2]
        #expect(try table.filter(ids: ids).fetchCount(db) == 2)
        #expect(try table.filter(ids: [1, nil] as [Int64?]).fetchCount(db) == 1)
        #expect(try table.filter(Column("id") > 0).filter(ids: ids).fetchCount(db) == 2)
        #expect(try table.deleteAll(db, ids: ids) == 2)
        #expect(try table.filter(Column("id") > 0).deleteAll(db, ids: Set<Int64>([3])) == 1)
      }
    },
    .same(.spelling(6), #"row.coalesce([Column("a"), …])"#) {
      let row: Row = ["nick": nil, "name": "Arthur"]
      #expect(row.coalesce([Column("nick"), Column("name")]) == "Arthur")
      #expect(row.coalesce([Player.Columns.email, Player.Columns.name]) == "Arthur")
      #expect(row.coalesce(["nick", "name"]) == "Arthur")
      #expect(row.coalesce([Column("nick")]) as String? == nil)
    },
    .same(.spelling(7), #"alias["name"], excluded["score"], cte["a"]"#) {
      let alias = TableAlias(name: "p")
      try expectSQL(
        request: Player.all().aliased(alias).filter(alias["name"] == "a"),
        #"SELECT * FROM "player" "p" WHERE "p"."name" = 'a'"#
      )
      try withPlayers { db throws in
        var arthur = Player.arthur
        arthur.score = 5
        let updated = try arthur.upsertAndFetch(db, onConflict: ["id"]) { excluded in
          [Column("score").set(to: excluded["score"] + 1)]
        }
        #expect(updated.score == 6)
      }
    },
    .same(.spelling(8), "VirtualTableOptions.temporary") {
      try DatabaseQueue().writeWithoutTransaction { db throws in
        try db.execute(sql: "CREATE TEMPORARY TABLE page (id INTEGER PRIMARY KEY, text TEXT)")
        try db.create(virtualTable: "search", options: [.temporary, .ifNotExists], using: FTS5()) {
          $0.synchronize(withTable: "page")
          $0.column("text")
        }
        try db.execute(sql: "INSERT INTO page VALUES (1, 'hello')")
        let found = try Int.fetchOne(db, sql: "SELECT rowid FROM search WHERE search MATCH 'hello'")
        #expect(found == 1)
        #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_master") == 0)
        try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
        expectDatabaseError(
          .SQLITE_MISUSE,
          """
          a temporary full-text table cannot be synchronized with note, which is not temporary: \
          copy the texts, or create the full-text table without the option temporary
          """
        ) {
          try db.create(virtualTable: "other", options: .temporary, using: FTS5()) {
            $0.synchronize(withTable: "note")
            $0.column("text")
          }
        }
      }
    },
    .same(.spelling(8), "Row.fetchCursor(db, SQLRequest<Void>) is a RowCursor") {
      try withPlayers { db throws in
        let request: SQLRequest<Void> = "SELECT id, name FROM player WHERE id > \(1)"
        let cursor: RowCursor = try Row.fetchCursor(db, request)
        #expect(cursor.sql == "SELECT id, name FROM player WHERE id > ?")
        #expect(cursor.arguments == [1])
        #expect(cursor.columnNames == ["id", "name"] && cursor.columnCount == 2)
        #expect(try cursor.next()?["id"] == 2)
      }
    },
    .same(.spelling(9), ".debug(header:separator:nullValue:)") {
      try DatabaseQueue().writeWithoutTransaction { db throws in
        let text = Text()
        let format = DebugDumpFormat(header: true, separator: ";", nullValue: "-")
        try db.dumpSQL("SELECT 1 AS a, NULL AS b", format: format, to: text)
        try db.dumpSQL("SELECT NULL", format: .debug(nullValue: "?"), to: text)
        #expect(text.text == "a;b\n1;-\n?\n")
      }
    },
    .documented(
      .spelling(9),
      "extension Wrapper: DatabaseValueConvertible where RawValue: …",
      "extension Wrapper: Fetchable, TypedOperand, DatabaseValueConvertible"
    ),
    .same(.spelling(10), "cte.contains(expr), request.contains(0)") {
      try withPlayers { db throws in
        let ids = CommonTableExpression<Int64>(named: "ids", sql: "SELECT 1 UNION SELECT 3")
        let request = Player.filter { ids.contains($0.id) }.with(ids)
        #expect(try request.order(\.id).fetchAll(db).map(\.id) == [1, 3])
        #expect(try Player.filter { !ids.contains($0.id) }.with(ids).fetchCount(db) == 1)
        #expect(try Player.filter(Player.select(Column("id")).contains(1)).fetchCount(db) == 3)
        #expect(try Player.filter(Player.select(Column("id")).contains(0)).fetchCount(db) == 0)
      }
    },
    .same(.spelling(10), "[1, 2].flatMap { cursor }") {
      try withPlayers { db throws in
        let names = [1, 3].flatMap { id in
          try String.fetchCursor(db, sql: "SELECT name FROM player WHERE id = ?", arguments: [id])
        }
        #expect(try Array(names) == ["Arthur", "Craig"])
        #expect([1, 2].flatMap { [$0, $0] } == [1, 1, 2, 2])
      }
    },
    .same(.spelling(10), "databaseChanges(from:) of a record of another type") {
      struct Score: Encodable, EncodableRecord {
        var id: Int64
        var score: Int
      }
      try withPlayers { db throws in
        let old = Score(id: 1, score: 7)
        let changes = try Player.arthur.databaseChanges(from: old)
        #expect(
          changes == [
            "score": 7.databaseValue, "teamID": .null, "name": .null, "email": .null,
          ]
        )
        #expect(try Player.arthur.updateChanges(db, from: old))
      }
    },
    .same(.spelling(10), "DatabaseObjectID.schemaID, DatabaseSchemaID") {
      let id = DatabaseObjectID(name: "player", schemaID: .main)
      #expect(id.schemaID == .main && id.schemaName == "main")
      #expect(DatabaseSchemaID.attached("other").name == "other")
      #expect(DatabaseSchemaID.temp.schemaTableName == "sqlite_temp_master")
    },
    .same(.spelling(10), #"\(any SQLSelectable), \(tableOf: any TableRecord), \(Substring)"#) {
      let selection: any SQLSelectable = Column("id")
      let record: any TableRecord = Player.arthur
      let literal: SQL = """
        SELECT \(selection) FROM \(tableOf: record) WHERE name = \("@Arthur".dropFirst())
        """
      try withPlayers { db throws in
        #expect(
          try literal.build(db).sql == #"SELECT "id" FROM "player" WHERE name = ?"#
        )
        #expect(try Int.fetchOne(db, SQLRequest(literal: literal)) == 1)
      }
    },
    .same(.spelling(10), "JSON methods of alias[JSONColumn]") {
      let alias = TableAlias<Player>(name: "p")
      let json = alias[JSONColumn("order")]
      try expectSQL(
        request: Player.all().aliased(alias).select(
          json["city"],
          json.jsonRepresentation(atPath: "zip"),
          json.jsonExtract(atPath: "$.a")
        ),
        """
        SELECT "p"."order" ->> 'city', "p"."order" -> 'zip', JSON_EXTRACT("p"."order", '$.a') \
        FROM "player" "p"
        """
      )
    },
  ]

  /// Differences that the guide explains.
  static let differences: [ParityLine] = [
    .documented(.difference(1), "aggregates and joins", "an aggregate means the same in each"),
    .documented(.difference(2), "SELECT 1234 as String", "a number read as a `String`"),
    .documented(.difference(2), "1.5 as Int", "`1.5` read as an `Int`"),
    .documented(.difference(3), "references a table without a key", "a row id is not a parent key"),
    .documented(.difference(3), "primaryKey([a, b])", #"`t.primaryKey(["a", "b"])`"#),
    .documented(.difference(3), "update without a primary key", "whose table has no primary key"),
    .documented(.difference(4), "close() with SQLITE_BUSY", "`close()` that throws `SQLITE_BUSY`"),
    .documented(.difference(4), "save without a row", "calls `willInsert` only"),
    .documented(.difference(4), "an ignored insertion", "`ON CONFLICT IGNORE` ignores"),
    .documented(.difference(4), "a backup's progress", "a backup's progress function"),
    .documented(.difference(4), "withUnsafeData(named:)", "a misspelled name is not NULL"),
    .documented(.difference(4), "coalesce([])", "`coalesce([])`"),
    .documented(.difference(5), "read", "sees the state at the beginning of the access"),
    .documented(.difference(5), "the log", "the write-ahead log after opening"),
    .documented(.difference(5), "dumpSQL through a reader", "a reader does not write"),
    .documented(.difference(5), "checkpoint", "of a database without a write-ahead log"),
    .documented(.difference(6), "none()", "`request.none()`, `[].contains(id)`"),
    .documented(.difference(6), "regions of statements", "the region of a request's prepared"),
    .documented(.difference(6), "grdb_ columns", "have columns like `grdb_teamID`"),
    .documented(.difference(7), "microseconds", "a text with microseconds"),
    .documented(.difference(7), "Row(dictionary)", "has sorted columns"),
    .documented(.difference(7), "forEach", "call the cursor's own `forEach`"),
    .documented(.difference(7), "REPLACE", "`REPLACE` deletes rows"),
    .documented(.difference(7), "invalid UTF-8", "bytes that are not UTF-8"),
    .documented(.difference(8), "distinct().fetchCount", "counts it once"),
    .documented(.difference(8), "annotations of pivots", "a pivot of an association annotates"),
    .documented(.difference(8), "DatabaseError().message", "`DatabaseError().message`"),
    .documented(.difference(8), "savepoints", "`SAVEPOINT wellspring`"),
  ]
}

/// A stream that collects the text of a dump.
private final class Text: TextOutputStream {
  var text = ""
  func write(_ string: String) { text += string }
}

/// Each letter is a token.
private final class LetterTokenizer: FTS5CustomTokenizer {
  static let name = "letter"

  init(db: Database, arguments: [String]) {}

  func tokenize(
    _ text: String,
    for tokenization: FTS5Tokenization,
    found: (FTS5Token) throws -> Void
  ) throws {
    for (index, letter) in text.utf8.enumerated() {
      try found(FTS5Token(String(decoding: [letter], as: UTF8.self), at: index..<index + 1))
    }
  }
}
