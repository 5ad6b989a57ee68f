import Storage
import Testing

@testable import StorageTestSupport

private let name = Column("name")
private let typed = TypedColumn<String>("name")

@Suite struct DatabaseFunctionStringsTests {
  private static let calls: [(SQLExpression, String, String)] = [
    (name.capitalized, "swiftCapitalizedString", "Élan Vital Straße"),
    (name.lowercased, "swiftLowercaseString", "élan vital straße"),
    (name.uppercased, "swiftUppercaseString", "ÉLAN VITAL STRASSE"),
    (name.localizedCapitalized, "swiftLocalizedCapitalizedString", "Élan Vital Straße"),
    (name.localizedLowercased, "swiftLocalizedLowercaseString", "élan vital straße"),
    (name.localizedUppercased, "swiftLocalizedUppercaseString", "ÉLAN VITAL STRASSE"),
    (typed.capitalized.untyped, "swiftCapitalizedString", "Élan Vital Straße"),
    (typed.lowercased.untyped, "swiftLowercaseString", "élan vital straße"),
    (typed.uppercased.untyped, "swiftUppercaseString", "ÉLAN VITAL STRASSE"),
    (typed.localizedCapitalized.untyped, "swiftLocalizedCapitalizedString", "Élan Vital Straße"),
    (typed.localizedLowercased.untyped, "swiftLocalizedLowercaseString", "élan vital straße"),
    (typed.localizedUppercased.untyped, "swiftLocalizedUppercaseString", "ÉLAN VITAL STRASSE"),
  ]

  @Test(arguments: calls)
  func `FUN-11…16: the predefined functions of strings support all of Unicode`(
    _ expression: SQLExpression,
    _ function: String,
    _ result: String
  ) throws {
    try expectSQL(expression, #"\#(function)("name")"#)
    try withLeague { db in
      try db.execute(sql: "INSERT INTO player (name) VALUES ('élan VITAL straße')")
      let text = try String.fetchOne(db, Player.select(expression))
      #expect(text == result)
    }
  }

  @Test func `EXP-48: a comparison can ignore case`() throws {
    try expectSQL(
      request: Player.filter { $0.name.lowercased == "zoé" },
      #"SELECT * FROM "player" WHERE swiftLowercaseString("name") = 'zoé'"#
    )
    try withPlayers { db throws in
      #expect(try Player.filter { $0.name.lowercased == "barbara" }.fetchAll(db) == [.barbara])
    }
  }

  @Test func `NULL stays NULL, numbers become text, and ASCII functions keep other letters`()
    throws
  {
    try withLeague { db in
      try db.execute(sql: "INSERT INTO player (name, email, score) VALUES ('ÉCOLE', NULL, 12)")
      let row = try #require(
        try Row.fetchOne(
          db,
          Player.select { [$0.email.lowercased, $0.score.uppercased, asciiLowercased($0.name)] }
        )
      )
      #expect(row[0] == String?.none)
      #expect(row[1] == "12")
      #expect(row[2] == "École".replacing("É", with: "É"))
    }
  }

  @Test func `readers of a pool have the predefined functions`() async throws {
    let shop = try Shop()
    let names = try await shop.pool.read { db in
      try String.fetchAll(db, Table("item").select(name.uppercased).order(name))
    }
    #expect(names == ["CUP", "POT"])
  }
}
