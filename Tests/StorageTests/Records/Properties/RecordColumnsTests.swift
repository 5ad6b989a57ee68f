import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// A record without a list of its columns.
private struct Book: Codable, Hashable, Identifiable, FetchableRecord, MutablePersistableRecord {
  enum Genre: String, Codable, DatabaseValueConvertible { case novel, essay }
  enum State: String, Codable { case lent }
  struct Address: Codable, Hashable { var city: String }

  var id: Int64?
  var title: String
  var price: Double?
  var genre = Genre.novel
  var state = State.lent
  var addedAt = Date(timeIntervalSince1970: 0)
  var isbn = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  var weight = Decimal(2)
  var address: Address?
  var tags: [String] = []
  var isLent = false
  // Names of members that requests, expressions and types have.
  var count = 0
  var asc = 0
  var rowID = 0
  var hashValue = 0
  var name = ""
  var `class` = ""
  var authorID: Int64?

  static let author = belongsTo(Author.self)
  // Names of members are not compared.
  static func == (left: Self, right: Self) -> Bool { left.id == right.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

  static let schema = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT, fee REAL);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, title, price, genre, state, addedAt, isbn BLOB, weight, address, tags,
      isLent, count, asc, rowID, hashValue, name, class, authorID INTEGER REFERENCES author
    );
    """
}

private struct Author: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  var fee: Double

  static let books = hasMany(Book.self)
}

/// Checks the SQL of a request for books.
private func expectBooks(
  _ request: some FetchRequest,
  _ sql: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try DatabaseQueue().write { db in
    try db.execute(sql: Book.schema)
    let statement = try request.makePreparedRequest(db).statement
    expectSQL(statement, sql, sourceLocation: sourceLocation)
  }
}

@Suite struct RecordColumnsTests {
  private static let conditions: [(TypedExpression<Bool>, String)] = [
    (Book.columns.price < 20, #""price" < 20.0"#),
    (Book.columns.title != "a", #""title" <> 'a'"#),
    (Book.columns.id == 5, #""id" = 5"#),
    (Book.columns.id == nil, #""id" IS NULL"#),
    ((Book.columns.price ?? 0) > 1, #"IFNULL("price", 0.0) > 1.0"#),
    (Book.columns.genre == .novel, #""genre" = 'novel'"#),
    (Book.columns.weight <= 3, #""weight" <= '3'"#),
    (
      Book.columns.addedAt < Date(timeIntervalSince1970: 0),
      #""addedAt" < '1970-01-01 00:00:00.000'"#
    ),
    (
      Book.columns.isbn == UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
      #""isbn" = x'0102030405060708090a0b0c0d0e0f10'"#
    ),
    (Book.columns.isLent == true, #""isLent" = 1"#),
    (Book.columns.asc == 1, #""asc" = 1"#),
    (Book.columns.rowID == 1, #""rowID" = 1"#),
    (Book.columns.hashValue == 1, #""hashValue" = 1"#),
    (Book.columns.class == "a", #""class" = 'a'"#),
    ([1, 2].contains(Book.columns.count), #""count" IN (1, 2)"#),
    (max(Book.columns.count) > Book.columns.asc, #"MAX("count") > "asc""#),
  ]

  @Test(arguments: conditions)
  func `properties are columns of their types`(_ condition: TypedExpression<Bool>, _ sql: String)
    throws
  {
    try expectBooks(
      Book.all().having(condition).group(Column("id")),
      """
      SELECT * FROM "book" GROUP BY "id" HAVING \(sql)
      """
    )
  }

  @Test func `closures and key paths of requests find properties`() throws {
    try expectBooks(
      Book.filter { $0.price < 20 && $0.title != "a" }.order(\.title.desc),
      #"SELECT * FROM "book" WHERE ("price" < 20.0) AND ("title" <> 'a') ORDER BY "title" DESC"#
    )
    try expectBooks(
      Book.filter(\.isLent).order(\.count, \.asc.desc).select(\.title, \.rowID),
      #"SELECT "title", "rowID" FROM "book" WHERE "isLent" ORDER BY "count", "asc" DESC"#
    )
    try expectBooks(
      Book.select { [$0.genre, max($0.price)] }.group(\.genre, \.class).having {
        max($0.price) > 1
      },
      """
      SELECT "genre", MAX("price") FROM "book" GROUP BY "genre", "class" HAVING MAX("price") > 1.0
      """
    )
    try expectBooks(
      Book.select(\.title).annotated(with: Column("count").forKey("n")),
      #"SELECT "title", "count" AS "n" FROM "book""#
    )
    try expectBooks(
      Table<Book>("book").filter { $0.count == 1 }.order(\.hashValue),
      #"SELECT * FROM "book" WHERE "count" = 1 ORDER BY "hashValue""#
    )
    try expectBooks(
      Book.filter(Book.Columns.price > 1).order(Book.columns.name),
      #"SELECT * FROM "book" WHERE "price" > 1.0 ORDER BY "name""#
    )
  }

  @Test func `key paths to constants, and to members of columns, find properties too`() throws {
    struct Player: Codable, FetchableRecord, PersistableRecord {
      struct Color: Codable { var name: String }
      let id: Int64
      var name: String
      var color: Color
      var tags: [String]
      var upperName: String {
        get { name.uppercased() }
        set { name = newValue }
      }
    }
    try expectSQL(request: Player.order(\.id), #"SELECT * FROM "player" ORDER BY "id""#)
    try expectSQL(
      request: Player.select(\.name.capitalized).group(\.id),
      #"SELECT swiftCapitalizedString("name") FROM "player" GROUP BY "id""#
    )
    try withDatabase { db in
      for request in [
        Player.order(\.color.name), Player.select(\.upperName), Player.all().group(\.tags[0]),
      ] {
        let error = #expect(throws: DatabaseError.self) { try Row.fetchAll(db, request) }
        #expect(error?.message?.contains("it is computed, lazy, nested") == true)
        #expect(error?.message?.contains("Write a closure for a part of a property") == true)
      }
    }
  }

  @Test func `a property that is stored as JSON has keys`() throws {
    try expectBooks(
      Book.filter { $0.address["city"] == "Arles" && $0.tags[0] == "new" }.select { $0.tags },
      """
      SELECT "tags" FROM "book" WHERE (("address" ->> 'city') = 'Arles') AND \
      (("tags" ->> 0) = 'new')
      """
    )
    try expectBooks(
      Book.order { $0.address["city"] }.select { $0.tags[0] },
      #"SELECT "tags" ->> 0 FROM "book" ORDER BY "address" ->> 'city'"#
    )
    try expectBooks(
      Book.select { [$0.address.json.jsonExtract(atPath: "$.city"), $0.tags.column] },
      #"SELECT JSON_EXTRACT("address", '$.city'), "tags" FROM "book""#
    )
    // JSON is embedded as such, and the raw value of an enum as a text.
    try expectBooks(
      Book.select { Database.jsonArray([$0.tags, $0.state, $0.title] as [any SQLExpressible]) },
      #"SELECT JSON_ARRAY(JSON("tags"), "state", "title") FROM "book""#
    )
  }

  @Test func `joins, associations and aliases find properties`() throws {
    try expectBooks(
      Book.joining(required: Book.author.filter { $0.fee > 1 }.order(\.name)),
      """
      SELECT "book".* FROM "book" JOIN "author" ON ("author"."id" = "book"."authorID") AND \
      ("author"."fee" > 1.0) ORDER BY "author"."name"
      """
    )
    try expectBooks(
      Author.annotated(with: Author.books.max(\.price)).having(Author.books.max(\.count) > 1),
      """
      SELECT "author".*, MAX("book"."price") AS "maxBookPrice" FROM "author" \
      LEFT JOIN "book" ON "book"."authorID" = "author"."id" GROUP BY "author"."id" \
      HAVING MAX("book"."count") > 1
      """
    )
    try expectBooks(
      Author.all().join(Book.self) { $1.authorID == $0.id && $1.count > 2 },
      """
      SELECT "author".*, "book".* FROM "author" JOIN "book" ON \
      ("book"."authorID" = "author"."id") AND ("book"."count" > 2)
      """
    )
    let other = TableAlias<Book>(name: "other")
    try expectBooks(
      Book.all().aliased(other).filter(other.price < 3 && other.title == "a"),
      #"SELECT * FROM "book" "other" WHERE ("other"."price" < 3.0) AND ("other"."title" = 'a')"#
    )
  }

  @Test func `assignments, upserts and changes find properties`() throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: Book.schema)
      var book = Book(id: nil, title: "Emma")
      try book.insert(db)
      try expectSQL(db, #"UPDATE "book" SET "price" = 9.0, "count" = "count" + 2"#) {
        try Book.updateAll(db) { [$0.price.set(to: 9), $0.count += 2] }
      }
      try expectSQL(db, #"UPDATE "book" SET "price" = NULL WHERE "title" = 'Emma'"#) {
        try Book.filter { $0.title == "Emma" }.updateAll(db) { $0.price.set(to: nil) }
      }
      let upserted = try Author(id: 1, name: "Jane", fee: 1).upsertAndFetch(
        db,
        onConflict: [Author.columns.id.name],
        doUpdate: { excluded in [Author.columns.fee.set(to: excluded.fee)] }
      )
      #expect(upserted.fee == 1)
      #expect(try Book.fetchOne(db)?.count == 2)
    }
  }

  @Test func `Columns replace the properties, or add to them`() throws {
    struct Explicit: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "player"
      var id: Int64
      var name: String
      enum Columns {
        static let name = Column("teamID")
      }
    }
    try expectSQL(
      request: Explicit.filter { $0.name == 1 },
      #"SELECT * FROM "player" WHERE "teamID" = 1"#
    )
    try expectSQL(
      request: Mixed.filter { $0.name == 1 && $0.score > 2 }.order(\.id, \.name),
      #"SELECT * FROM "player" WHERE ("teamID" = 1) AND ("score" > 2) ORDER BY "id", "teamID""#
    )
  }

  @Test func `a row and a container are read by the columns of properties`() throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: Book.schema)
      var book = Book(id: 7, title: "Emma", price: 2)
      try book.insert(db)
      let row = try #require(try Row.fetchOne(db, Book.all()))
      #expect(row[Book.columns.id] == 7)
      #expect(try row.decode(Book.columns.price) == 2)
    }
  }

  @Test func `a missing column of the table is an error that names it`() throws {
    struct Item: Codable, FetchableRecord, PersistableRecord { var weight: Double }
    try withDatabase { db in
      expectDatabaseError(.SQLITE_ERROR, "no such column: weight") {
        _ = try Item.filter { $0.weight > 1 }.fetchAll(db)
      }
    }
  }
}

/// A record whose columns are found in `Columns` first.
private struct Mixed: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "player"
  var id: Int64
  var name: String
  var score: Int
  enum Columns: RecordColumns {
    typealias Record = Mixed
    static let name = Column("teamID")
  }
}
