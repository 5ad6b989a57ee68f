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
      #expect(named.allSatisfy { $0.scopes.names == ["works"] })
      #expect(named.allSatisfy { $0.prefetchedRows.keys == ["works"] })
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
