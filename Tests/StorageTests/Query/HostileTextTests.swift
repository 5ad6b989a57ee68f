import Storage
import Testing

/// What is quoted and bound stays what it is.
@Suite struct HostileTextTests {
  private static let names = [
    "a b", "a\"b", "a'b", "`a`", "[a]", "select", "ORDER", "é", "e\u{301}", "🦉", "a;b", "--", "/*",
    "?", ":a",
    "a\nb", "\\", "\"\"", "'; DROP TABLE player; --",
  ]

  @Test("Names of all kinds are quoted, in every statement", arguments: names)
  func name(_ name: String) throws {
    try withLeague { db in
      let table = Table(name)
      let column = Column(name)
      try db.execute(literal: "CREATE TABLE \(identifier: name) (\(column) TEXT, key INTEGER)")
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
      let deleted = try table.filter(column != nil).deleteAll(db)
      #expect(deleted == 1)
    }
  }

  @Test func `A name with a NUL is an error, and not another name`() throws {
    try withLeague { db in
      let error = #expect(throws: DatabaseError.self) {
        try Table("player").select(Column("na\0me")).fetchAll(db)
      }
      #expect(error?.extendedResultCode == .SQLITE_MISUSE)
    }
  }

  @Test func `Thousands of hostile strings change nothing but their own row`() throws {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "'", "\"", "`", ";", "--", "/*", "*/", "\0", "%", "_", "?", ":a", "\\", "\n", "🦉", "e\u{301}",
      " OR 1=1",
      "DROP TABLE player", ")", "(", "x",
    ]
    try withLeague { db in
      try db.execute(sql: "INSERT INTO player (id, name) VALUES (0, 'untouched')")
      for id in 1...2000 {
        let text = (0..<6).map { _ in pieces.randomElement(using: &random)! }.joined()
        try Player(id: Int64(id), teamID: nil, name: text, email: nil, score: nil).insert(db)
        let found = try Player.filter { $0.name == text && $0.id == id }.fetchOne(db)
        guard found?.name == text else {
          Issue.record("lost \(text.debugDescription)")
          return
        }
        let count = try Player.filter { $0.id == id }.updateAll(db) {
          $0.email.set(to: text + "\(id)")
        }
        #expect(count == 1)
      }
      let untouched = try Player.filter { $0.name == "untouched" && $0.email == nil }.fetchCount(db)
      #expect(untouched == 1)
      let all = try Player.fetchCount(db)
      #expect(all == 2001)
    }
  }
}
