import Storage
import Testing

@testable import StorageTestSupport

@Suite struct EncodableRecordAssociationsTests {
  private let author = Author(id: 1, name: "Melville", countryCode: "US", mentorID: nil)

  @Test func `A-088: a record has requests for its associated rows`() throws {
    try expectLibrarySQL(
      author.request(for: Author.books),
      #"SELECT * FROM "book" WHERE "authorID" = 1"#
    )
    try expectLibrarySQL(
      author.request(for: Author.country),
      #"SELECT * FROM "country" WHERE "code" = 'US'"#
    )
    try expectLibrarySQL(
      author.request(for: Author.mentor),
      #"SELECT * FROM "author" WHERE 0"#
    )
    try expectLibrarySQL(
      author.request(for: Author.awards.order(\.name)).filter { $0.id > 1 },
      """
      SELECT "award".* FROM "award" JOIN "book" \
      ON ("book"."id" = "award"."bookID") AND ("book"."authorID" = 1) \
      WHERE "award"."id" > 1 ORDER BY "award"."name"
      """
    )
    try expectLibrarySQL(
      Shelf(room: "A", number: 1, label: nil).request(for: Shelf.copies),
      #"SELECT * FROM "copy" WHERE ("room" = 'A') AND ("number" = 1)"#
    )
    try withLibrary { db in
      #expect(try author.request(for: Author.books).fetchCount(db) == 2)
      #expect(try author.request(for: Author.awards).fetchAll(db).map(\.id) == [1, 2])
      let mentor = Author(id: 3, name: "Auster", countryCode: "US", mentorID: 1)
        .request(for: Author.mentor)
      let region = try mentor.databaseRegion(db)
      #expect("\(region)" == "author(countrycode,id,mentorid,name)[1]")
    }
  }

  @Test func `a record without the column of the foreign key is an error`() throws {
    struct Title: Codable, PersistableRecord {
      static let databaseTableName = "book"
      static let author = belongsTo(Author.self, using: Book.authorKey)
      var title: String
    }
    try withLibrary { db in
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        the record of book does not encode the column authorID, by which associated rows \
        belong to it
        """
      ) {
        _ = try Title(title: "Omoo").request(for: Title.author).fetchAll(db)
      }
    }
  }
}
