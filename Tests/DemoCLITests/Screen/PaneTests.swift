import Storage
import Testing

@testable import DemoCLI

/// Panes whose columns change.
@Suite struct PaneTests {
  private static let height = 4

  private func makeDatabase(_ columns: String, rows: Int) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { try make($0, columns, rows: rows) }
    return queue
  }

  /// Makes the table `item`, whose rows have the values 1, 2 and so on in each column.
  private func make(
    _ db: Database,
    _ columns: String,
    options: String = "",
    rows: Int
  ) throws {
    let values = columns.split(separator: ",").map { _ in "i" }.joined(separator: ", ")
    try db.execute(
      sql: """
        DROP TABLE IF EXISTS item; CREATE TABLE item (\(columns)) \(options);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
        INSERT INTO item SELECT \(values) FROM n;
        """
    )
  }

  /// Fetches and shows the rows of a pane, and returns the lines of its screen.
  @discardableResult
  private func show(_ pane: inout Pane, _ db: Database, isSameView: Bool = true) throws -> [String]
  {
    let (row, view) = (pane.view.firstRow, pane.fetchedView)
    let contents = try pane.fetch.fetch(db, at: nil, view: view, height: Self.height)
    pane.show(contents, isSameView: isSameView, requestedRow: row, time: "")
    var screen = Screen(panes: [pane])
    let lines = screen.lines(in: WindowSize(columns: 80, rows: 20))
    pane = screen.panes[0]
    return lines.map(\.text)
  }

  private static let alterations = [
    ("ALTER TABLE item ADD COLUMN b", ["~ 101 101 NULL*", "~ 102 102 NULL*", "~ 103 103 NULL*"]),
    ("ALTER TABLE item DROP COLUMN a", ["  101", "  102", "  103"]),
    ("ALTER TABLE item RENAME COLUMN a TO b", ["~ 101 101*", "~ 102 102*", "~ 103 103*"]),
    (
      "ALTER TABLE item ADD COLUMN b; DELETE FROM item WHERE id = 102",
      ["~ 101 101 NULL*", "- 102 102 NULL", "~ 103 103 NULL*"]
    ),
    (
      "ALTER TABLE item DROP COLUMN a; DELETE FROM item WHERE id = 102",
      ["  101", "- 102", "  103"]
    ),
  ]

  @Test(arguments: alterations, [false, true])
  func `the rows of a large table have its present columns`(
    alteration: (sql: String, rows: [String]),
    hasDetail: Bool
  ) throws {
    try makeDatabase("id INTEGER PRIMARY KEY, a", rows: 3_000).write { db in
      var pane = Pane(query: .table("item"), titles: ["item"])
      pane.view.firstRow = 100
      try show(&pane, db)
      if hasDetail { pane.openDetail() }
      try db.execute(sql: alteration.sql)
      try show(&pane, db)
      #expect(pane.rows.prefix(3).map(\.summary) == alteration.rows)
      pane.detail = nil
      // The rows move by one, with the marks of no earlier change.
      pane.moveTop(to: 101)
      try show(&pane, db, isSameView: false)
      let count = pane.contents?.result.columns.count
      #expect(pane.rows.allSatisfy { $0.values.count == count && $0.mark == .unchanged })
    }
  }

  private static let otherTables = [
    ("a", nil, "a"),
    // The row id, which is not shown, and another column are in the place of the column.
    ("a, b, c, d", nil, "a b c d"), ("a, b, c, d, f", nil, "a b c d f"),
    ("x PRIMARY KEY, y", nil, "x y"), ("a, b, c, d, e", 4, "a b c d e ▼"), ("e, a", 0, "e ▼ a"),
  ]

  @Test(arguments: [3, 3_000], otherTables)
  func `rows stay sorted by their column, as long as it is there`(
    rows: Int,
    table: (columns: String, sort: Int?, heading: String)
  ) throws {
    try makeDatabase("a, b, c, d, e", rows: rows).write { db in
      var pane = Pane(query: .table("item"), titles: ["item"])
      try show(&pane, db)
      for _ in "abcde" { _ = pane.handle(.character("s")) }
      _ = pane.handle(.character("r"))
      try show(&pane, db, isSameView: false)
      #expect(pane.rows.first?.values.first == rows.databaseValue)
      let options = table.columns.contains("KEY") ? "WITHOUT ROWID" : ""
      try make(db, table.columns, options: options, rows: rows)
      for _ in 0..<2 {
        let lines = try show(&pane, db)
        #expect(lines[1].split(separator: " ").joined(separator: " ") == table.heading)
        #expect(pane.view.sort?.column == table.sort)
        let first = table.sort == nil ? 1 : rows
        #expect(pane.rows.first?.values.first == first.databaseValue)
      }
      let next = table.sort.map { $0 + 1 } ?? 0
      _ = pane.handle(.character("s"))
      #expect(pane.view.sort?.column == (next < pane.contents!.result.columns.count ? next : nil))
    }
  }
}
