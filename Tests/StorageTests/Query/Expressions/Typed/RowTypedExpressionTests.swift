import Storage
import Testing

@testable import StorageTestSupport

private let id = TypedColumn<Int64>("id")
private let name = TypedColumn<String>("name")
private let email = TypedColumn<String?>("email")
private let score = TypedColumn<Int?>("score")

@Suite struct RowTypedExpressionTests {
  @Test func `ROW-12: a row is read by a selected expression, in its type`() throws {
    try withPlayers { db in
      let sentence = name + " is " + cast(id, as: String.self)
      let row = try #require(
        try Row.fetchOne(db, Player.order(\.id).select(sentence, email, max(score).untyped))
      )
      // SQLite takes the other columns from the row that has the maximum.
      #expect(row[sentence] == "Barbara is 2")
      let plain = try #require(try Row.fetchOne(db, Player.order(\.id).select(sentence, email)))
      #expect(plain[sentence] == "Arthur is 1")
      let decoded = try plain.decode(sentence)
      #expect(decoded == "Arthur is 1")
      #expect(plain[email] == "a@x.com")
      let value: String = plain[sentence.untyped]
      #expect(value == "Arthur is 1")
    }
  }

  @Test func `reading an expression that was not selected, or selected twice, is an error`() throws
  {
    try withPlayers { db in
      let row = try #require(
        try Row.fetchOne(db, Player.select(Column("id") + 1, Column("id") + 2))
      )
      expectError(#"no column "score" * ?: the row has "id" + ?, "id" + ?"#) {
        _ = try row.decode(Int.self, forExpression: Column("score") * 2)
      }
      expectError(
        """
        several columns are called "id" + ?: the row has "id" + ?, "id" + ?; give each a name of its own \
        with AS
        """
      ) {
        _ = try row.decode(Int.self, forExpression: Column("id") + 1)
      }
    }
  }

  @Test func `ROW-15, JOI-11: a column of a joined table is found by its alias`() throws {
    try withPlayers { db in
      let other = TableAlias<Player>(name: "other")
      let own = TableAlias<Player>()
      let request = Player.all().aliased(own).join(
        other,
        on: other.id > own[Player.Columns.id]
      ).order(Column("id"), other.id)
      let row = try #require(try Row.fetchOne(db, request))
      #expect(row[other[id]] == 2)
      #expect(row[other[name]] == "Barbara")
      #expect(row[name] == "Arthur")
      #expect(row.scopes["other"]?["id"] == 2)
      let otherID: Int64 = row[other.id]
      #expect(otherID == 2)
      let decoded = try row.decode(other[email])
      #expect(decoded == nil)
      #expect(row[Table("player")[id]] == 1)
    }
  }
}
