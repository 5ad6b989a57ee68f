import Storage
import Testing

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
