import Testing

@testable import Storage

@Suite("The clauses of a query") struct SelectTextTests {
  @Test func `a query is cut at its keywords`() throws {
    let text = try SelectText(
      "SELECT a, b AS c FROM main.item AS i WHERE a > ? ORDER BY c DESC, 1 LIMIT 5 OFFSET :n;"
    )
    #expect(text.list == "a, b AS c")
    #expect(text.source == "main.item AS i")
    #expect(text.table == "item")
    #expect(text.qualifier == "i")
    #expect(text.condition == "a > ?1")
    #expect(text.order == "c DESC, 1")
    #expect(text.limit == "5")
    #expect(text.offset == "?2")
    #expect(text.parameterCount == 2)
  }

  @Test func `keywords in strings, names and comments do not count`() throws {
    let text = try SelectText(
      """
      select 'from x', "order", [where] , `limit` -- from y
      /* where */ FROM "from ""it\""" -- order by z
      where (a = ' limit 3' or b in (select_1, 2)) order by"where"
      -- the end
      """
    )
    #expect(text.list == "'from x', \"order\", [where] , `limit`")
    #expect(text.table == "from \"it\"")
    #expect(text.qualifier == "\"from \"\"it\"\"\"")
    #expect(text.condition == "(a = ' limit 3' or b in (select_1, 2))")
    #expect(text.order == "\"where\"")
    #expect(text.limit == nil)
  }

  @Test func `the offset comes first where a comma follows it`() throws {
    let text = try SelectText("SELECT a FROM item LIMIT max(1, 2), 10")
    #expect(text.offset == "max(1, 2)")
    #expect(text.limit == "10")
  }

  @Test func `parameters are numbered as SQLite numbers them`() throws {
    let text = try SelectText("SELECT ?, ?5, :a FROM t WHERE x = ? AND y = :a AND z = @a")
    #expect(text.list == "?1, ?5, ?6")
    #expect(text.condition == "x = ?7 AND y = ?6 AND z = ?8")
    #expect(text.parameterCount == 8)
  }

  @Test(arguments: ["t NOT INDEXED", "t x NOT INDEXED", "main.t AS x not /* */ indexed"])
  func `a table may be read without indexes`(source: String) throws {
    let text = try SelectText("SELECT a FROM \(source) WHERE a > 1")
    #expect(text.source == source)
    #expect(text.qualifier == (source.contains("x ") ? "x" : "t"))
  }

  static let refused: [(String, PatchObstacle)] = [
    ("WITH c AS (SELECT 1) SELECT * FROM c", .isNoSelect),
    ("VALUES (1)", .isNoSelect),
    ("SELECT 1", .isNoSelect),
    ("PRAGMA user_version", .isNoSelect),
    ("SELECT $a::b(c) FROM t", .isNoSelect),
    ("SELECT 'a FROM t", .isNoSelect),
    ("SELECT DISTINCT a FROM t", .groupsRows),
    ("SELECT a IS DISTINCT FROM b FROM t", .groupsRows),
    ("SELECT count(*) FROM t GROUP BY a", .groupsRows),
    ("SELECT a FROM t UNION SELECT b FROM t", .hasSubquery),
    ("SELECT a FROM t EXCEPT VALUES (1)", .hasSubquery),
    ("SELECT (SELECT 1) FROM t", .hasSubquery),
    ("SELECT a FROM (SELECT * FROM t)", .hasSubquery),
    ("SELECT a FROM t, u", .readsSeveralTables),
    ("SELECT a FROM t JOIN u", .readsSeveralTables),
    ("SELECT a FROM (t)", .readsSeveralTables),
    ("SELECT a FROM t INDEXED BY i", .readsSeveralTables),
    ("SELECT value FROM json_each('[1]')", .readsSeveralTables),
  ]

  @Test(arguments: refused)
  func `other statements are refused`(sql: String, obstacle: PatchObstacle) {
    #expect(throws: obstacle) { try SelectText(sql) }
  }
}
