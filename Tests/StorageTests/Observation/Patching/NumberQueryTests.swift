import Testing

@testable import Storage

@Suite("Queries that count") struct NumberQueryTests {
  private static let queries: [(sql: String, rows: String, value: String)] = [
    ("SELECT count(*) FROM item", "SELECT 1 FROM item", "SELECT ?1  AS \"n\""),
    ("select COUNT ( * ) from item", "SELECT 1 FROM item", "SELECT ?1  AS \"n\""),
    (
      "SELECT count(1) AS items FROM item AS i WHERE price > ? AND name = :name",
      "SELECT 1 FROM item AS i WHERE price > ?1 AND name = ?2", "SELECT ?1 AS items"
    ),
    ("SELECT count(*) > 0 FROM item", "SELECT 1 FROM item", "SELECT ?1 > 0 AS \"n\""),
    (
      "SELECT EXISTS (SELECT name FROM item WHERE price < 3)",
      "SELECT name FROM item WHERE price < 3", "SELECT ?1  AS \"n\""
    ),
    (
      "SELECT NOT EXISTS (SELECT * FROM a JOIN b USING (id) LIMIT 1) AS \"has no rows\"",
      "SELECT * FROM a JOIN b USING (id)", "SELECT NOT ?1 AS \"has no rows\""
    ),
  ]

  @Test(arguments: queries)
  func `the rows and the value are queries of their own`(sql: String, rows: String, value: String)
    throws
  {
    let query = try #require(try NumberQuery(sql))
    #expect(query.rowsSQL == rows)
    #expect(query.valueSQL(columnName: "n") == value)
    #expect((query.subject == .existence) == sql.contains("EXISTS"))
  }

  @Test(arguments: [
    "SELECT name FROM item", "SELECT count(name) FROM item", "SELECT count(*), 1 FROM item",
    "SELECT count(*) + price FROM item", "SELECT 1 + count(*) FROM item", "SELECT count(*)",
    "SELECT EXISTS (SELECT 1 FROM item), 2", "SELECT EXISTS (SELECT 1 FROM item) FROM item",
    "SELECT max(price) FROM item", "WITH x AS (SELECT 1) SELECT count(*) FROM x",
    "DELETE FROM item",
  ])
  func `other queries are none`(sql: String) throws {
    #expect(try NumberQuery(sql) == nil)
  }

  @Test(arguments: [
    ("SELECT count(*) FROM item GROUP BY name", PatchObstacle.groupsRows),
    ("SELECT count(*) FROM item LIMIT 5", .countsWindow),
    ("SELECT count(*) FROM item LIMIT 1 OFFSET 1", .countsWindow),
    ("SELECT EXISTS (SELECT 1 FROM item LIMIT 3)", .countsWindow),
  ])
  func `groups and windows are not counted`(sql: String, obstacle: PatchObstacle) {
    #expect(throws: obstacle) { try NumberQuery(sql) }
  }
}
