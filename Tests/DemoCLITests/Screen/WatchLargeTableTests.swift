import Glibc
import Testing

@testable import DemoCLI

/// `watch` of a table with more rows than are fetched as a whole, on a pseudo-terminal.
@Suite struct WatchLargeTableTests {
  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
    INSERT INTO item SELECT i, 'thing ' || i FROM n;
    """

  private func watch(_ file: TestFile, _ arguments: String...) async throws -> RunningTool {
    let tool = try RunningTool(
      arguments: ["watch", file.path] + arguments,
      output: .terminal(columns: 60, rows: 10)
    )
    try await tool.wait("the table") { $0.lastRows.first?.contains("thing 1") == true }
    return tool
  }

  @Test func `the window is fetched, and both ends are reachable`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(file, "item")
    #expect(tool.lastFrame[0].contains("100000 rows"))
    #expect(tool.lastFrame.count == 9)
    #expect(tool.lastRows.last == "… 99994 more rows")
    try tool.type("G")
    try await tool.wait("the end") { $0.lastRows.last == "100000  thing 100000" }
    #expect(tool.lastRows.first == "… 99994 more rows above")
    try tool.type("k")
    try await tool.wait("a row up") { $0.lastRows.last == "… 2 more rows" }
    try tool.type("g")
    try await tool.wait("the top") { $0.lastRows.first == "1  thing 1" }
  }

  @Test func `changes in the window are marked`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(file, "item")
    try await file.execute("UPDATE item SET name = 'other' WHERE id IN (2, 50000)")
    try await tool.wait("the change") { $0.lastRows[1] == "~  2  other" }
    #expect(tool.lastRows[0] == "1  thing 1")
    try await file.execute("DELETE FROM item WHERE id = 3; INSERT INTO item VALUES (0, 'first')")
    try await tool.wait("the next change") { $0.lastRows[0] == "+  0  first" }
    // The row that has left the window at its end is not marked as removed.
    #expect(!tool.lastRows.contains { $0.hasPrefix("-  6") || $0.hasPrefix("-  7") })
  }

  @Test func `n searches the whole table for a change`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(file, "item")
    // In one commit: the marks show what the last one has changed.
    try await file.execute(
      """
      BEGIN; UPDATE item SET name = 'changed' WHERE id IN (1, 70000);
      INSERT INTO item (name) VALUES ('new'); COMMIT
      """
    )
    try await tool.wait("the change") { $0.lastRows[0] == "~  1  changed" }
    try tool.type("n")
    try await tool.wait("the next change") { $0.lastRows[1] == "~ 70000  changed" }
    #expect(tool.lastRows[0] == "… 69999 more rows above")
    try tool.type("n")
    try await tool.wait("the new row") { $0.lastRows.last == "~ 100001  new" }
    try tool.type("n")
    try await tool.wait("the first change") { $0.lastRows[0].hasSuffix("1  changed") }
  }

  @Test func `sorting and filtering happen in the database`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(file, "item")
    try tool.type("sr")
    try await tool.wait("the order") { $0.lastRows[0] == "100000  thing 100000" }
    try tool.type("/thing 9999\r")
    try await tool.wait("the rows") { $0.lastFrame[0].contains("11 rows") }
    #expect(tool.lastRows[0] == "99999  thing 99999")
  }
}

@Suite struct PaneContentsTests {
  private func contents(_ ids: [Int], offset: Int, count: Int) -> PaneContents {
    PaneContents(
      result: result(["id"], ids.map { [$0] }, keys: [0]),
      offset: offset,
      count: count,
      isWhole: false
    )
  }

  @Test func `rows that move into a part or out of it are not marked`() {
    let previous = contents([10, 11, 12, 13], offset: 9, count: 100)
    // A row was removed before the part, so all rows have moved up.
    let next = contents([11, 12, 13, 14], offset: 9, count: 99)
    #expect(next.marked(since: previous).map(\.summary) == ["  11", "  12", "  13", "  14"])
    // A row was inserted before the part.
    let later = contents([9, 10, 11, 12], offset: 9, count: 101)
    #expect(later.marked(since: previous).map(\.summary) == ["  9", "  10", "  11", "  12"])
  }

  @Test func `changes between rows that are still there are marked`() {
    let previous = contents([1, 2, 3, 5], offset: 0, count: 100)
    let next = contents([0, 1, 3, 4], offset: 0, count: 101)
    #expect(next.marked(since: previous).map(\.summary) == ["+ 0", "  1", "- 2", "  3", "  4"])
  }
}
