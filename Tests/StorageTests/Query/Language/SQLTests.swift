import Foundation
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct SQLTests {
  private enum CodingKeys: String, CodingKey { case name = "full name" }

  private func expect(
    _ literal: SQL,
    _ sql: String,
    _ arguments: StatementArguments = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withLeague { db in
      let built = try literal.build(db)
      #expect(built.sql == sql, sourceLocation: sourceLocation)
      #expect(built.arguments == arguments, sourceLocation: sourceLocation)
    }
  }

  @Test func `A-025: values become arguments`() throws {
    let name: String? = nil
    try expect(
      "a = \(1) AND b = \("O'Brien") AND c = \(name)",
      "a = ? AND b = ? AND c = ?",
      [1, "O'Brien", nil]
    )
  }

  @Test func `A-025: names are quoted`() throws {
    try expect(
      "\(identifier: "a\"b") \(Column("order")) \(CodingKeys.name)",
      #""a""b" "order" "full name""#
    )
  }

  @Test func `A-025: lists are written in parentheses, even if they are empty`() throws {
    try expect("id IN \([1, 2]) OR id IN \([Int]())", "id IN (?, ?) OR id IN ()", [1, 2])
  }

  /// A value of several numbers, stored as text.
  private struct Tags: Sequence, DatabaseValueConvertible {
    let tags: [Int]

    var databaseValue: DatabaseValue { tags.map(String.init).joined(separator: " ").databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Tags? { nil }

    func makeIterator() -> IndexingIterator<[Int]> { tags.makeIterator() }
  }

  @Test func `a value that is a sequence stays one value`() throws {
    let data = Data([1, 2, 3])
    let noData: Data? = nil
    try expect(
      "\(data) \(data as Data?) \(noData) \(Tags(tags: [4, 5])) \("ab") \([data, data])",
      "? ? ? ? ? (?, ?)",
      [data, data, nil, "4 5", "ab", data, data]
    )
    let existential: any DatabaseValueConvertible = data
    try expect("\(existential) \([UInt8](data))", "? (?, ?, ?)", [data, 1, 2, 3])
    try withLeague { db in
      try db.execute(literal: "CREATE TABLE photo (content); INSERT INTO photo VALUES (\(data))")
      try #expect(Data.fetchOne(db, sql: "SELECT content FROM photo") == data)
    }
  }

  @Test func `a list of values and expressions is embedded`() throws {
    let list: [any SQLExpressible] = [1, Column("bonus")]
    try expect("score IN \(list)", #"score IN (?, "bonus")"#, [1])
  }

  @Test func `tables are embedded by their names`() throws {
    try expect(
      "\(Player.self) \(tableOf: Player.arthur) \(Table("a\"b")) \(Table<Player>("old"))",
      #""player" "player" "a""b" "old""#
    )
    let type: any TableRecord.Type = Team.self
    try expect("\(type)", #""team""#)
  }

  private struct Summary: TableRecord {
    static let databaseTableName = "player"
    static var databaseSelection: [any SQLSelectable] {
      [Column("id"), (Column("score") + 1).forKey("next")]
    }
  }

  @Test func `the columns of a record type are embedded with their table`() throws {
    try expect("\(columnsOf: Player.self)", #""player".*"#)
    try expect("\(columnsOf: Player.self, tableAlias: "p")", #""p".*"#)
    try expect(
      "SELECT \(columnsOf: Summary.self, tableAlias: "p") FROM player p",
      #"SELECT "p"."id", "p"."score" + ? AS "next" FROM player p"#,
      [1]
    )
  }

  @Test func `common table expressions are embedded by name and by definition`() throws {
    let leaders = CommonTableExpression<Player>(
      named: "leader",
      columns: ["name"],
      literal: "SELECT name FROM player WHERE score > \(10)"
    )
    try expect(
      "WITH \(definitionFor: leaders) SELECT * FROM \(leaders)",
      #"WITH "leader"("name") AS (SELECT name FROM player WHERE score > ?) SELECT * FROM "leader""#,
      [10]
    )
  }

  @Test func `collations are embedded by their names`() throws {
    try expect(
      "COLLATE \(.nocase) COLLATE \(DatabaseCollation.localizedCompare)",
      "COLLATE NOCASE COLLATE swiftLocalizedCompare"
    )
    try expect("COLLATE \(Database.CollationName("my own"))", #"COLLATE "my own""#)
  }

  @Test func `the parameters of a literal without values are bound later`() throws {
    try withLeague { db in
      let statement = try db.makeStatement(literal: "SELECT ? + 1")
      try statement.setArguments([2])
      try #expect(Int.fetchOne(statement) == 3)
    }
  }

  @Test func `question marks are separated by commas`() {
    #expect(databaseQuestionMarks(count: 0) == "")
    #expect(databaseQuestionMarks(count: 1) == "?")
    #expect(databaseQuestionMarks(count: 3) == "?,?,?")
  }

  @Test func `A-025: expressions, orderings and selections are embedded`() throws {
    try expect(
      "SELECT \(AllColumns()), \(Column("a") + 1) ORDER BY \(Column("b").desc)",
      #"SELECT *, "a" + ? ORDER BY "b" DESC"#,
      [1]
    )
  }

  @Test func `STM-26: raw SQL is written unchanged, with its arguments`() throws {
    try expect("\(sql: "a = ?", arguments: [1]) \(literal: "b = \(2)")", "a = ? b = ?", [1, 2])
    try expectSQL(SQL("DATE(createdAt)").sqlExpression, "DATE(createdAt)")
  }

  @Test func `pieces of SQL are concatenated`() throws {
    var sql: SQL = "a"
    sql += "b\(1)"
    sql.append(literal: "c")
    sql.append(sql: "d?", arguments: [2])
    try expect(sql + " e", "ab?cd? e", [1, 2])
    try expect(
      [SQL("a = \(1)"), SQL("b = \(2)")].joined(separator: " AND "),
      "a = ? AND b = ?",
      [1, 2]
    )
    #expect(SQL("").isEmpty)
    #expect(!SQL("\(1)").isEmpty)
  }

  @Test func `several pieces of SQL share a named argument`() throws {
    try withLeague { db in
      let literal = SQL(sql: "SELECT :a", arguments: ["a": 1])
      let twice = literal + SQL(sql: " + :a", arguments: ["a": 1])
      try #expect(Int.fetchOne(db.makeStatement(literal: twice)) == 2)
      expectDatabaseError(
        .SQLITE_MISUSE,
        "a named argument has two values in one statement: 1 and 2"
      ) {
        _ = try (literal + SQL(sql: " + :a", arguments: ["a": 2])).build(db)
      }
    }
  }

  @Test func `A-025: a literal is executed`() throws {
    try withLeague { db in
      let hostile = "'); DROP TABLE player; --"
      try db.execute(literal: "INSERT INTO player (id, name) VALUES (\(1), \(hostile))")
      let statement = try db.cachedStatement(literal: "SELECT name FROM player WHERE id = \(1)")
      try #expect(String.fetchOne(statement) == hostile)
    }
  }

  @Test func `pieces of SQL with the same content are equal`() {
    #expect(SQL("a = \(1)") == SQL("a = \(1)"))
    #expect(SQL("a = \(1)") != SQL("a = \(2)"))
    #expect(Set([SQL("a = \(1)"), SQL("a = \(1)")]).count == 1)
  }
}
