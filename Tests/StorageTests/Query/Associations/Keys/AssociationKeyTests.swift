import Storage
import Testing

@testable import StorageTestSupport

@Suite struct AssociationKeyTests {
  @Test func `names are written in the singular for one row and in the plural for all`() throws {
    try withLibrary { db in
      let one = try Row.fetchAll(db, Author.including(required: Author.books))
      #expect(one.allSatisfy { $0.scopes.names == ["book"] })
      let all = try Row.fetchAll(db, Author.including(all: Author.books))
      #expect(all.allSatisfy { $0.prefetchedRows.keys == ["books"] })
      let named = try Row.fetchAll(
        db,
        Author.including(required: Author.books.forKey("works"))
          .including(all: Author.books.forKey("works"))
      )
      #expect(named.allSatisfy { $0.scopes.names == ["work"] })
      #expect(named.allSatisfy { $0.prefetchedRows.keys == ["works"] })
    }
  }

  /// An association of books, the name of one row, and the name of several rows.
  private static let keys: [(HasManyAssociation<Author, Book>, String, String)] = [
    (Author.books.forKey("novels"), "novel", "novels"),
    (Author.hasMany(Book.self, key: "novels", using: Book.authorKey), "novel", "novels"),
    (Author.books.forKey("novel"), "novel", "novel"),
    (Author.books.forKey("people").forKey("novels"), "novel", "novels"),
    (Author.hasMany(Table("book"), key: "stories", using: Book.authorKey), "story", "stories"),
  ]

  @Test(arguments: keys)
  func `a chosen name of several rows is singular where one row is joined`(
    _ association: HasManyAssociation<Author, Book>,
    _ one: String,
    _ several: String
  ) throws {
    try withLibrary { db throws in
      let requests = [
        Author.including(required: association), Author.including(optional: association),
      ]
      for request in requests {
        #expect(try Row.fetchOne(db, request)?.scopes.names == [one])
      }
      let all = try Row.fetchOne(db, Author.including(all: association))
      #expect(all?.prefetchedRows.keys == [several])
      let counted = try Row.fetchOne(db, Author.annotated(with: association.count))
      #expect(counted?.hasColumn("\(one)Count") == true)
    }
  }

  @Test func `a chosen name of one row is plural where several rows are fetched`() throws {
    try withLibrary { db throws in
      let editors = Author.hasMany(
        Author.self,
        through: Author.books,
        using: Book.belongsTo(Author.self, key: "reviser", using: Book.editorKey)
      )
      let all = try Row.fetchOne(db, Author.including(all: editors))
      #expect(all?.prefetchedRows.keys == ["revisers"])
      let one = try Row.fetchOne(db, Author.including(required: editors))
      #expect(one?.scopesTree.names == ["book", "reviser"])
      let cover = try Row.fetchOne(db, Book.including(required: Book.cover.forKey("graphics")))
      #expect(cover?.scopes.names == ["graphics"])
    }
  }

  @Test(
    .serialized,
    arguments: [
      ("player", "players"), ("team", "teams"), ("country", "countries"), ("day", "days"),
      ("person", "people"), ("child", "children"), ("bus", "buses"), ("box", "boxes"),
      ("address", "addresses"), ("match", "matches"), ("wish", "wishes"),
      ("category", "categories"),
      ("series", "series"), ("sheep", "sheep"), ("leaf", "leaves"), ("analysis", "analyses"),
      ("status", "statuses"), ("movie", "movies"), ("soccerPlayer", "soccerPlayers"),
      ("soccer_player", "soccer_players"), ("TeamMember", "TeamMembers"), ("player2", "players2"),
      ("salesPerson", "salesPeople"), ("index", "indices"), ("photo", "photos"),
      ("quiz", "quizzes"),
      ("wolf", "wolves"), ("man", "men"), ("database", "databases"), ("news", "news"),
      ("datum", "data"), ("tomato", "tomatoes"), ("mouse", "mice"), ("x", "xes"),
      ("house", "houses"), ("size", "sizes"), ("wave", "waves"), ("page", "pages"),
    ]
  )
  func `the plural and the singular of a table's name`(_ singular: String, _ plural: String) throws
  {
    // The names of tables lead to the names of scopes and of prefetched rows.
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      for table in [singular, plural] {
        try db.execute(
          sql: """
            DROP TABLE IF EXISTS "\(singular)"; DROP TABLE IF EXISTS "\(plural)";
            DROP TABLE IF EXISTS owner;
            CREATE TABLE owner (id INTEGER PRIMARY KEY);
            CREATE TABLE "\(table)" (id INTEGER PRIMARY KEY, ownerID REFERENCES owner(id));
            INSERT INTO owner VALUES (1); INSERT INTO "\(table)" VALUES (1, 1);
            """
        )
        Named.name = table
        let association = Owner.hasMany(Named.self)
        let row = try #require(
          try Row.fetchOne(
            db,
            Owner.including(required: association).including(all: association)
          )
        )
        #expect(row.scopes.names == [singular])
        #expect(row.prefetchedRows.keys == [plural])
      }
    }
  }

  private struct Owner: TableRecord {}
  private struct Named: TableRecord {
    nonisolated(unsafe) static var name = ""
    static var databaseTableName: String { name }
  }
}
