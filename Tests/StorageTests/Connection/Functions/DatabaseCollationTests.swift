import Foundation
import Storage
import Testing

@testable import StorageTestSupport

private let plain = DatabaseCollation("NODIACRITIC") { left, right in
  left.compare(right, options: .diacriticInsensitive)
}

@Suite struct DatabaseCollationTests {
  private func withNames(_ names: [String], _ body: (Database) throws -> Void) throws {
    try withLeague { db in
      for (id, name) in names.enumerated() {
        try Player(id: Int64(id), teamID: nil, name: name, email: nil, score: nil).insert(db)
      }
      try body(db)
    }
  }

  @Test func `EXP-44, FNC-11, FNC-12: SQL sorts by a collation written in Swift`() throws {
    try withNames(["eb", "éa", "ec"]) { db in
      db.add(collation: plain)
      let request = Player.order { $0.name.collating(plain) }
      let statement = try request.makePreparedRequest(db).statement
      expectSQL(statement, #"SELECT * FROM "player" ORDER BY "name" COLLATE NODIACRITIC"#)
      #expect(try request.fetchAll(db).map(\.name) == ["éa", "eb", "ec"])
    }
  }

  private static let predefined: [(DatabaseCollation, [String])] = [
    (.unicodeCompare, ["B", "a10", "a9", "é"]),
    (.caseInsensitiveCompare, ["a10", "a9", "B", "é"]),
    (.localizedCaseInsensitiveCompare, ["a10", "a9", "B", "é"]),
    (.localizedCompare, ["a10", "a9", "B", "é"]),
    (.localizedStandardCompare, ["a9", "a10", "B", "é"]),
  ]

  @Test(arguments: predefined.indices)
  func `EXP-43, FNC-14: the predefined collations sort as Swift's strings do`(_ index: Int) throws {
    let (collation, sorted) = Self.predefined[index]
    try withNames(["é", "a9", "B", "a10"]) { db in
      let names = try Player.order { $0.name.collating(collation) }
        .select({ $0.name }, as: String.self).fetchAll(db)
      #expect(names == sorted)
    }
    try expectSQL(
      Column("name").collating(collation) == "x",
      #""name" = 'x' COLLATE \#(collation.name)"#
    )
    try expectSQL(
      TypedColumn<String>("name").collating(collation) == "x",
      #""name" = 'x' COLLATE \#(collation.name)"#
    )
  }

  @Test func `EXP-47: strings are compared byte by byte without a collation`() throws {
    try withNames(["zoé", "Zoé", "ZOÉ"]) { db throws in
      #expect(try Player.filter { $0.name == "zoé" }.fetchCount(db) == 1)
      #expect(try Player.filter { $0.name.collating(.nocase) == "zoé" }.fetchCount(db) == 2)
      #expect(
        try Player.filter { $0.name.collating(.caseInsensitiveCompare) == "zoé" }.fetchCount(db)
          == 3
      )
    }
  }

  @Test func `a removed collation is unknown to SQL`() throws {
    try withNames([]) { db in
      db.add(collation: plain)
      _ = try Player.order { $0.name.collating(plain) }.fetchAll(db)
      db.remove(collation: plain)
      expectDatabaseError(.SQLITE_ERROR_MISSING_COLLSEQ, "no such collation sequence: NODIACRITIC")
      {
        try db.execute(sql: "SELECT name FROM player ORDER BY name COLLATE NODIACRITIC")
      }
    }
  }
}
