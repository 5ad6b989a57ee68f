import Storage
import Testing

@testable import StorageTestSupport

/// Associations of tables without record types.
@Suite struct TableSourceTests {
  private let authors = Table("author")
  private let books = Table("book")
  private let awards = Table("award")

  @Test func `A-085: tables belong to tables and to record types`() throws {
    let writer = ForeignKey(["authorID"])
    let sql = """
      SELECT "book".*, "author".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorID"
      """
    for request in [
      books.including(required: books.belongsTo(authors, using: writer)),
      books.including(required: books.belongsTo(Author.self, using: writer)),
    ] {
      try expectLibrarySQL(request, sql)
    }
    try expectLibrarySQL(Book.including(required: Book.belongsTo(authors, using: writer)), sql)
    let covers = Table("cover")
    let covered = """
      SELECT "book".*, "cover".* FROM "book" LEFT JOIN "cover" ON "cover"."bookID" = "book"."id"
      """
    try expectLibrarySQL(books.including(optional: books.hasOne(covers)), covered)
    try expectLibrarySQL(books.including(optional: books.hasOne(Cover.self)), covered)
    try expectLibrarySQL(Book.including(optional: Book.hasOne(covers)), covered)
    let awarded = #"SELECT "book".* FROM "book" JOIN "award" ON "award"."bookID" = "book"."id""#
    try expectLibrarySQL(books.joining(required: books.hasMany(awards)), awarded)
    try expectLibrarySQL(books.joining(required: books.hasMany(Award.self)), awarded)
    try expectLibrarySQL(Book.joining(required: Book.hasMany(awards)), awarded)
  }

  @Test func `A-085, A-089: rows of tables contain the rows of associated tables`() throws {
    let writer = ForeignKey(["authorID"])
    let request = authors.order(Column("id"))
      .including(
        all: authors.hasMany(books, using: writer).order(Column("id"))
          .including(all: books.hasMany(awards).order(Column("id")))
      )
    try withLibrary { db in
      var rows: [Row] = []
      let statements = try tracedStatements(db) { rows = try request.fetchAll(db) }
        .filter { !$0.lowercased().contains("pragma") }
      #expect(
        statements == [
          #"SELECT * FROM "author" ORDER BY "id""#,
          #"SELECT * FROM "book" WHERE "authorID" IN (1, 2, 3, 4) ORDER BY "id""#,
          #"SELECT * FROM "award" WHERE "bookID" IN (1, 2, 3, 4) ORDER BY "id""#,
        ]
      )
      let titles = rows.map { row in
        row.prefetchedRows["books"]!.map { $0["title"] as String }
      }
      #expect(titles == [["Moby-Dick", "Typee"], ["Germinal"], ["Leviathan"], []])
      let first = try #require(rows[0].prefetchedRows["books"]?.first)
      #expect(first.prefetchedRows["awards"]?.map { $0["name"] } == ["Best Whale", "Longest"])
    }
  }

  @Test func `A-085: associations of tables go through others`() throws {
    let copies = Table("copy"), loans = Table("loan"), readers = Table("reader")
    let borrowers = copies.hasMany(
      Row.self,
      through: copies.hasMany(loans),
      using: loans.belongsTo(readers)
    )
    try expectLibrarySQL(
      copies.joining(required: borrowers.filter(Column("name") == "Ann")),
      """
      SELECT "copy".* FROM "copy" JOIN "loan" ON "loan"."copyID" = "copy"."id" \
      JOIN "reader" ON ("reader"."id" = "loan"."readerID") AND ("reader"."name" = 'Ann')
      """
    )
    try withLibrary { db in
      let rows = try copies.order(Column("id")).including(all: borrowers.order(Column("id")))
        .fetchAll(db)
      #expect(rows.map { $0.prefetchedRows["readers"]?.count } == [2, 0, 0, 1, 0, 0])
    }
    let nation = books.hasOne(
      Nation.self,
      through: books.belongsTo(authors, using: ForeignKey(["authorID"])),
      using: authors.belongsTo(Nation.self)
    )
    try expectLibrarySQL(
      books.including(optional: nation),
      """
      SELECT "book".*, "country".* FROM "book" \
      LEFT JOIN "author" ON "author"."id" = "book"."authorID" \
      LEFT JOIN "country" ON "country"."code" = "author"."countryCode"
      """
    )
  }

  @Test func `A-085: a table refers to itself by names for its association`() throws {
    let mentor = authors.belongsTo(authors, key: "mentor")
    let alias = TableAlias()
    try expectLibrarySQL(
      authors.including(required: mentor.aliased(alias)).filter(alias[Column("name")] > "A"),
      """
      SELECT "author1".*, "author2".* FROM "author" "author1" \
      JOIN "author" "author2" ON "author2"."id" = "author1"."mentorID" WHERE "author2"."name" > 'A'
      """
    )
  }

  @Test func `A-086: tables are joined, included and annotated as requests are`() throws {
    let author = books.belongsTo(Author.self, using: ForeignKey(["authorID"]))
    let join = #"JOIN "author" ON "author"."id" = "book"."authorID""#
    let annotation = author.select { $0.name.forKey("writer") }
    for (request, sql) in [
      (books.joining(required: author), #"SELECT "book".* FROM "book" \#(join)"#),
      (books.joining(optional: author), #"SELECT "book".* FROM "book" LEFT \#(join)"#),
      (
        books.annotated(withRequired: annotation),
        #"SELECT "book".*, "author"."name" AS "writer" FROM "book" \#(join)"#
      ),
      (
        books.annotated(withOptional: annotation),
        #"SELECT "book".*, "author"."name" AS "writer" FROM "book" LEFT \#(join)"#
      ),
    ] {
      try expectLibrarySQL(request, sql)
    }
    try withLibrary { db in
      let writers = try books.annotated(withOptional: annotation).order(Column("id")).fetchAll(db)
      #expect(
        writers.map { $0["writer"] as String? } == ["Melville", "Melville", "Zola", "Auster", nil]
      )
    }
  }

  @Test func `a view is associated by columns that are written out`() throws {
    try withLibrary { db in
      try db.execute(
        sql: """
          CREATE VIEW oeuvre AS
          SELECT authorID AS writer, COUNT(*) AS books FROM book GROUP BY authorID
          """
      )
      let oeuvre = authors.hasOne(Table("oeuvre"), using: ForeignKey(["writer"], to: ["id"]))
      let rows = try authors.including(optional: oeuvre).order(Column("id")).fetchAll(db)
      #expect(rows.map { $0.scopes["oeuvre"]?["books"] as Int? } == [2, 1, 1, nil])
      let all = authors.hasMany(Table("oeuvre"), using: ForeignKey(["writer"], to: ["id"]))
      let prefetched = try authors.including(all: all).order(Column("id")).fetchAll(db)
      #expect(prefetched.map { $0.prefetchedRows["oeuvres"]?.count } == [1, 1, 1, 0])
    }
  }
}
