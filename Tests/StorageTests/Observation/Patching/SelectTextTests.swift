import Testing

@testable import Storage

@Suite("The clauses of a query") struct SelectTextTests {
  @Test func `a query is cut at its keywords`() throws {
    let text = try SelectText(
      "SELECT a, b AS c FROM main.item AS i WHERE a > ? ORDER BY c DESC, 1 LIMIT 5 OFFSET :n;"
    )
    #expect(text.list == "a, b AS c")
    #expect(text.source == "main.item AS i")
    #expect(text.tables.map(\.name) == ["item"])
    #expect(text.tables.map(\.qualifier) == ["i"])
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
    #expect(text.tables.map(\.name) == ["from \"it\""])
    #expect(text.tables.map(\.qualifier) == ["\"from \"\"it\"\"\""])
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
    #expect(text.tables.map(\.qualifier) == [source.contains("x ") ? "x" : "t"])
  }

  static let joins: [(String, [String])] = [
    ("a, main.b AS \"c d\"", ["a", ", main.b AS \"c d\""]),
    ("a JOIN b ON b.id = a.b", ["a", "JOIN b ON b.id = a.b"]),
    ("a x left outer join b USING (id, c)", ["a x", "left outer join b USING (id, c)"]),
    (
      "a NATURAL LEFT JOIN b CROSS JOIN c ON max(1, c.a) = ? INNER JOIN d",
      ["a", "NATURAL LEFT JOIN b", "CROSS JOIN c ON max(1, c.a) = ?1", "INNER JOIN d"]
    ),
  ]

  @Test(arguments: joins)
  func `joined tables are cut where the next one begins`(source: String, parts: [String]) throws {
    let tables = try SelectText("SELECT 1 FROM \(source) WHERE a.x = 1").tables
    #expect(tables.map(\.text) == parts)
    #expect(tables.map(\.isOptional) == parts.map { $0.uppercased().contains("LEFT") })
  }

  static let orders: [(String, Bool)] = [
    ("a.x, \"b\".\"y\" DESC NULLS LAST", true), ("lower(a.x) COLLATE NOCASE", true),
    ("a.x IS NOT NULL AND b.y = 'x'", true), ("x", false), ("a.x, label", false), ("2", false),
    ("\"label\"", false), ("a.x + b", false),
  ]

  @Test(arguments: orders)
  func `an unqualified name in the order may be one of the result`(
    order: String,
    isQualified: Bool
  ) throws {
    let text = try SelectText("SELECT a.x, b.y AS label FROM a, b ORDER BY \(order)")
    #expect(text.orderNamesOnlyQualifiedColumns == isQualified)
  }

  @Test func `groups and their condition are clauses`() throws {
    let text = try SelectText(
      "SELECT a, count(*) FROM t WHERE b > 1 GROUP BY a, b HAVING count(*) > ? ORDER BY 2"
    )
    #expect(text.condition == "b > 1")
    #expect(text.clauses.group == "a, b")
    #expect(text.clauses.having == "count(*) > ?1")
    #expect(text.order == "2")
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
    ("SELECT a FROM t UNION SELECT b FROM t", .isCompound),
    ("SELECT a FROM t EXCEPT VALUES (1)", .isCompound),
    ("SELECT (SELECT 1) FROM t", .hasSubquery),
    ("SELECT a FROM (SELECT * FROM t)", .hasSubquery),
    ("SELECT a FROM (t)", .readsOtherSource),
    ("SELECT a FROM t INDEXED BY i", .readsOtherSource),
    ("SELECT value FROM json_each('[1]')", .readsOtherSource),
    ("SELECT a FROM t, json_each(t.b)", .readsOtherSource),
    ("SELECT a FROM t RIGHT JOIN u ON u.id = t.u", .readsOtherSource),
    ("SELECT a FROM t FULL OUTER JOIN u ON u.id = t.u", .readsOtherSource),
    ("SELECT a FROM t JOIN (u JOIN v) ON u.id = t.u", .readsOtherSource),
    ("SELECT a FROM t LEFT u", .readsOtherSource),
    ("SELECT a FROM t, t", .readsOtherSource),
    ("SELECT a FROM t x JOIN u \"X\"", .readsOtherSource),
  ]

  @Test(arguments: refused)
  func `other statements are refused`(sql: String, obstacle: PatchObstacle) {
    #expect(throws: obstacle) { try SelectText(sql) }
  }
}
