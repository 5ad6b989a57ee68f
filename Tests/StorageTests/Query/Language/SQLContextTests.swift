import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Names are quoted and values are bound, whatever text they contain.
@Suite struct SQLContextTests {
  private static let names = [
    "a b", "a\"b", "a'b", "`a`", "[a]", "select", "ORDER", "é", "e\u{301}", "🦉", "a;b", "--", "/*",
    "?", ":a", "a\nb", "\\", "\"\"", "'; DROP TABLE player; --", "rowid", "*", "1", "a.b", " ",
    "excluded", "sqlite", "%s", "$(x)",
  ]

  @Test(arguments: names)
  func `names are quoted in every statement`(_ name: String) throws {
    try withLeague { db in
      let table = Table(name)
      let column = Column(name)
      try db.execute(literal: "CREATE TABLE \(identifier: name) (\(column) TEXT, key INTEGER)")
      try db.execute(
        literal:
          "CREATE UNIQUE INDEX \(identifier: name + " index") ON \(identifier: name) (\(column))"
      )
      try table.insert(db, [column.set(to: name), Column("key").set(to: 1)])
      try table.updateAll(
        db,
        column.set(to: [column, name.databaseValue].joined(operator: .concat))
      )
      let values = try table.filter(column == name + name).order(column.desc)
        .select(column.forKey(name), as: String.self).fetchAll(db)
      #expect(values == [name + name])
      let joined = try table.join(
        Table("player"),
        on: table[Column("key")] == Table("player")[Column("id")]
      ).fetchCount(db)
      #expect(joined == 0)
      let grouped = try table.all().group(column).having(max(column) == name + name)
        .select(count(distinct: column), as: Int.self).fetchAll(db)
      #expect(grouped == [1])
      let deleted = try table.filter(column != nil).deleteAll(db)
      #expect(deleted == 1)
    }
  }

  @Test(arguments: names)
  func `aliases, scopes and common tables are quoted`(_ name: String) throws {
    try withPlayers { db in
      let alias = TableAlias<Player>(name: name)
      let row = try #require(
        try Row.fetchOne(
          db,
          Team.all().join(alias, on: alias.teamID == Table("team")[Column("id")])
            .order(alias.id).annotated(with: alias.name.forKey(name + "!"))
        )
      )
      #expect(row.scopes[name]?["name"] == "Arthur")
      #expect(row[name + "!"] == "Arthur")
      let common = CommonTableExpression<Row>(
        named: name,
        columns: [name],
        request: Player.select(\.name)
      )
      let names = try common.all().with(common).order(common[Column(name)])
        .asRequest(of: String.self).fetchAll(db)
      #expect(names == ["Arthur", "Barbara", "Craig"])
    }
  }

  @Test(arguments: names.filter { $0 != "*" })
  func `functions and collations are quoted`(_ name: String) throws {
    try withPlayers { db in
      let function = DatabaseFunction(name, argumentCount: 2) { values in "\(values[0])" }
      db.add(function: function)
      let value = try String.fetchOne(db, Player.order(\.id).select { function($0.id, name) })
      #expect(value == "1")
      let collation = DatabaseCollation(name) { $0 < $1 ? .orderedDescending : .orderedAscending }
      db.add(collation: collation)
      let names = try Player.order { $0.name.collating(collation) }.fetchAll(db).map(\.name)
      #expect(names == ["Craig", "Barbara", "Arthur"])
    }
  }

  @Test func `a name with a NUL is an error instead of a shorter name`() throws {
    try withLeague { db in
      let requests: [QueryInterfaceRequest<Row>] = [
        Table("player").select(Column("na\0me")),
        Table("player\0").all(),
        Table("player").aliased(TableAlias(name: "p\0")),
        Table("player").select(Column("name").forKey("n\0")),
        Table("player").order(Column("name").collating(Database.CollationName("NOCASE\0"))),
        CommonTableExpression<Row>(named: "c\0", request: Player.all()).all(),
      ]
      for request in requests {
        let error = #expect(throws: DatabaseError.self) { try request.fetchAll(db) }
        #expect(error?.extendedResultCode == .SQLITE_MISUSE)
      }
    }
  }

  @Test func `ten thousand hostile strings change nothing but their own row`() throws {
    var random = SeededGenerator(seed: 7)
    let pieces = [
      "'", "\"", "`", ";", "--", "/*", "*/", "\0", "%", "_", "?", ":a", "\\", "\n", "🦉", "e\u{301}",
      " OR 1=1", "DROP TABLE player", ")", "(", "x", "\u{FEFF}", "\u{202E}", "$1", "@a",
    ]
    try withLeague { db in
      try db.execute(sql: "BEGIN")
      try db.execute(sql: "INSERT INTO player (id, name) VALUES (0, 'untouched')")
      for id in 1...10_000 {
        let text = (0..<6).map { _ in random.pick(pieces)! }.joined()
        try Player(id: Int64(id), teamID: nil, name: text, email: nil, score: nil).insert(db)
        let found = try Player.filter { $0.name == text && $0.id == id }.fetchOne(db)
        let count = try Player.filter { $0.id == id && [text, "x"].contains($0.name) }
          .updateAll(db) { $0.email.set(to: text + "\(id)") }
        guard found?.name == text, count == 1 else {
          Issue.record("lost \(text.debugDescription)")
          return
        }
      }
      let untouched = try Player.filter { $0.name == "untouched" && $0.email == nil }.fetchCount(db)
      #expect(untouched == 1)
      let all = try Player.fetchCount(db)
      #expect(all == 10_001)
      try db.execute(sql: "COMMIT")
    }
  }
}
