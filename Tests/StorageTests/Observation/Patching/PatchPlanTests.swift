import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite("The statements of a plan") struct PatchPlanTests {
  private static let schema = """
    CREATE TABLE sale (id INTEGER PRIMARY KEY, shop TEXT, number INTEGER, customer INTEGER);
    CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE stock (shop TEXT, number INTEGER, count INTEGER, PRIMARY KEY (shop, number))
      WITHOUT ROWID;
    """

  private func plan(_ sql: String, _ kind: PatchPlan.Kind = .allRows) throws -> PatchPlan {
    try withDatabase { db in
      try db.execute(sql: Self.schema)
      return try PatchAnalysis.plan(for: db.makeStatement(sql: sql), kind)
    }
  }

  @Test func `rows of one table are looked up by their row ids`() throws {
    let plan = try plan("SELECT shop FROM sale WHERE number > ?5 ORDER BY shop")
    #expect(plan.source.parameterCount == 5)
    #expect(plan.wholeSQL == "SELECT shop, sale.rowid FROM sale WHERE number > ?5 ORDER BY shop")
    #expect(
      plan.changedSQL(count: 1) == """
        SELECT shop, sale.rowid FROM sale WHERE CASE WHEN (number > ?5) THEN 1 END AND \
        sale.rowid IN (?6) ORDER BY shop, sale.rowid
        """
    )
    #expect(
      plan.sortSQL(count: 2)
        == "SELECT shop, sale.rowid FROM sale WHERE sale.rowid IN (?6, ?7) ORDER BY shop, sale.rowid"
    )
    #expect(plan.inputs == PatchInputs(rows: [plan.table], values: [:]))
  }

  @Test func `joined rows are found by their row ids or keys`() throws {
    let plan = try plan(
      """
      SELECT count, name FROM sale JOIN stock USING (shop, number)
      JOIN customer AS c ON c.id = sale.customer
      """
    )
    #expect(plan.table.name == "sale")
    #expect(plan.partners.map(\.name) == ["stock", "customer"])
    #expect(plan.source.hiddenCount == 4)
    #expect(
      plan.source.hidden == "stock.\"shop\", stock.\"number\", c.rowid, sale.rowid"
    )
    let sql = plan.joinedSQL(with: 0, count: 2)
    #expect(
      sql.contains(
        """
        WHERE ((stock."shop" COLLATE "BINARY" = ?1 AND stock."number" COLLATE "BINARY" = ?2) OR \
        (stock."shop" COLLATE "BINARY" = ?3 AND stock."number" COLLATE "BINARY" = ?4)) LIMIT 1001
        """
      )
    )
    #expect(plan.joinedSQL(with: 1, count: 2).contains("WHERE c.rowid IN (?1, ?2) LIMIT 1001"))
    #expect(
      plan.description() == """
        the rows of sale
          each with a row of stock
          each with a row of customer
        """
    )
  }

  @Test func `a window knows some rows that follow it`() throws {
    let window = PatchPlan.Window(limit: 10, offset: 5)
    #expect(window.capacity == 23)
    #expect(PatchPlan.Window(limit: 100, offset: 0).capacity == 125)
    #expect([4, 5, 14, 15].map(window.contains) == [false, true, true, false])
    #expect(window.indexes(in: 3) == 3..<3)
    #expect(window.indexes(in: 9) == 5..<9)
    #expect(window.indexes(in: 50) == 5..<15)
    #expect(try plan("SELECT * FROM sale", .firstRow).window == .init(limit: 1, offset: 0))
    #expect(try plan("SELECT * FROM sale LIMIT 5 OFFSET 2", .firstRow).window?.limit == 1)
  }
}
