import Storage
import Testing

@testable import StorageTestSupport

// Examples from doc comments. DocumentedSQLTests runs them.

extension Examples {
  func sqlLiteralExamples() throws {
    try check(#"SELECT * FROM "order""#, "SELECT * FROM \(identifier: "order")" as SQL)
    try check(
      #"SELECT "score" + 100 FROM player WHERE name = 'O''Brien'"#,
      "SELECT \(Column("score") + 100) FROM player WHERE name = \(name)" as SQL
    )
    try check(#"SELECT "name" FROM player"#, "SELECT \(Column("name")) FROM player" as SQL)
    try check(
      #"SELECT * FROM player ORDER BY "name" DESC"#,
      "SELECT * FROM player ORDER BY \(Column("name").desc)" as SQL
    )
    try check(
      #"SELECT * FROM player WHERE id IN (1, 2, 3)"#,
      "SELECT * FROM player WHERE id IN \([1, 2, 3])" as SQL
    )
    try check(#"SELECT * FROM "player""#, "SELECT * FROM \(Player.self)" as SQL)
    try check(#"SELECT * FROM "player""#, "SELECT * FROM \(Table("player"))" as SQL)
    try check(
      #"SELECT "p".* FROM player p"#,
      "SELECT \(columnsOf: Player.self, tableAlias: "p") FROM player p" as SQL
    )
    try check(
      #"SELECT * FROM player ORDER BY email COLLATE NOCASE"#,
      "SELECT * FROM player ORDER BY email COLLATE \(.nocase)" as SQL
    )
    try check(
      #"SELECT * FROM player ORDER BY name COLLATE swiftLocalizedCompare"#,
      "SELECT * FROM player ORDER BY name COLLATE \(.localizedCompare)" as SQL
    )
    try check(
      #"SELECT * FROM player WHERE id IN (SELECT "playerID" FROM "award")"#,
      "SELECT * FROM player WHERE id IN (\(Award.select(\.playerID)))" as SQL
    )
    try check(
      #"SELECT * FROM player WHERE score = (SELECT MAX("score") FROM "player")"#,
      "SELECT * FROM player WHERE score = \(Player.select { max($0.score) })" as SQL
    )
    try check(
      #"SELECT * FROM player WHERE id IN (SELECT "playerID" FROM "award")"#,
      "SELECT * FROM player WHERE id IN (" + SQL(Award.select(\.playerID)) + ")"
    )
    try check(
      #"SELECT id FROM player WHERE name = 'arthur'"#,
      "SELECT id FROM player WHERE name = \("@arthur".dropFirst())" as SQL
    )
    try check(#""score" + 1"#, SQL(Column("score") + 1))
    try check(
      #"SELECT * FROM player WHERE id = 12"#,
      SQL("SELECT * FROM player ") + SQL("WHERE id = \(12)")
    )
    try check(#"a = 1 AND b = 2"#, [SQL("a = \(1)"), SQL("b = \(2)")].joined(separator: " AND "))
    try check(
      #"SELECT DATE("createdAt") FROM "player""#,
      Player.select { SQL("DATE(\($0.createdAt))").sqlExpression }
    )
  }
}
