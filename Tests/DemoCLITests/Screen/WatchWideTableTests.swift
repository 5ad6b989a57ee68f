import Testing

/// `watch` of a table with more columns than fit the window, on a pseudo-terminal.
@Suite struct WatchWideTableTests {
  /// A table with an id and 59 more columns, which hold long texts and long numbers by turns.
  private static let schema: String = {
    let columns = (1..<60).map { "metric_\($0)" }
    let values = (1..<60).map { $0 % 2 == 1 ? "'text \($0) of row ' || n" : "n * 1000000 + \($0)" }
    return """
      CREATE TABLE m (id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")));
      WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 40)
      INSERT INTO m SELECT n, \(values.joined(separator: ", ")) FROM s;
      """
  }()

  private func watch(_ file: TestFile) async throws -> RunningTool {
    let tool = try RunningTool("watch", file.path, "m", output: .terminal(columns: 80, rows: 24))
    try await tool.wait("the table") { $0.lastRows.first?.hasPrefix("1  ") == true }
    return tool
  }

  @Test func `columns keep a readable width, and arrows scroll them beside the key`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(file)
    #expect(
      tool.lastFrame[1].split(separator: " ")
        == [
          "id", "metric_1", "metric_2", "metric_3", "metric_4", "metric_5", "metric_6", "+53", "…",
        ]
    )
    #expect(tool.lastRows[1].split(separator: "  ").map { $0.drop { $0 == " " } }[2] == "2000002")
    // The key stays: the first step hides the column after it.
    try tool.type("\u{1B}[C")
    try await tool.wait("the next column") {
      $0.lastFrame[1].split(separator: " ").prefix(3) == ["id", "metric_2", "metric_3"]
    }
    try tool.type("\u{1B}[D")
    try await tool.wait("the first column") { $0.lastFrame[1].contains("metric_1 ") }
    try tool.type(String(repeating: "\u{1B}[C", count: 29))
    try await tool.wait("the middle") {
      $0.lastFrame[1].split(separator: " ").prefix(3) == ["id", "metric_30", "metric_31"]
    }
    #expect(tool.lastRows[1].split(separator: " ").prefix(2) == ["2", "2000030"])
    try tool.resize(columns: 200, rows: 50)
    try await tool.wait("the larger window") { $0.lastFrame.count == 42 }
    #expect(tool.lastFrame[1].split(separator: " ").prefix(2) == ["id", "metric_30"])
    #expect(tool.lastFrame[1].contains("metric_41"))
    try tool.type(String(repeating: "\u{1B}[C", count: 60))
    try await tool.wait("the last column") {
      $0.lastFrame[1].split(separator: " ") == ["id", "metric_59"]
    }
  }

  @Test func `enter shows one row with all its columns, live`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(file)
    try tool.type("jj\r")
    try await tool.wait("the row") { $0.lastFrame[0].hasPrefix("m   one row") }
    #expect(tool.lastFrame[1] == "         id  3")
    #expect(tool.lastFrame[3] == "   metric_2  3000002")
    #expect(tool.lastFrame.last == "… 39 more lines")
    try await file.execute("UPDATE m SET metric_2 = 7 WHERE id = 3")
    try await tool.wait("the change") { $0.lastFrame[3] == "~  metric_2  7" }
    #expect(tool.lastFrame[1] == "         id  3")
    try tool.type("\u{1B}[6~")
    try await tool.wait("the next lines") { $0.lastFrame[1] == "  metric_20  3000020" }
    try tool.type("G")
    try await tool.wait("the last line") {
      $0.lastFrame.last == "  metric_59  text 59 of row 3"
    }
    try tool.type("\u{1B}[5~")
    try await tool.wait("the lines before") { $0.lastFrame[1] == "  metric_18  3000018" }
    try tool.type("g")
    try await tool.wait("the first line") { $0.lastFrame[1] == "         id  3" }
    try tool.type("\u{1B}[B")
    try await tool.wait("the next row") { $0.lastFrame[1] == "         id  4" }
    try await file.execute("DELETE FROM m WHERE id = 4")
    try await tool.wait("the end of the row") { $0.lastFrame[0].contains("the row is gone") }
    #expect(tool.lastFrame[3] == "   metric_2  4000002")
    try tool.type("\u{1B}")
    try await tool.wait("the table") { $0.lastFrame[1].contains("metric_3") }
  }

  @Test func `rows of a large table are shown alone, one after the other`() async throws {
    let file = try await TestFile(
      """
      CREATE TABLE m (id INTEGER PRIMARY KEY, name TEXT);
      WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 5000)
      INSERT INTO m SELECT n, 'name ' || n FROM s;
      """
    )
    let tool = try await watch(file)
    try tool.type("G")
    try await tool.wait("the end") { $0.lastRows.last == "5000  name 5000" }
    try tool.type("\r")
    try await tool.wait("the row") { $0.lastFrame.count == 3 && $0.lastFrame[1].contains("id") }
    let id = try #require(Int(tool.lastFrame[1].split(separator: " ")[1]))
    for step in 1...3 {
      try tool.type("k")
      try await tool.wait("the row above") { $0.lastFrame[1] == "    id  \(id - step)" }
    }
    try tool.type("j")
    try await tool.wait("the row below") { $0.lastFrame[2] == "  name  name \(id - 2)" }
  }

  @Test func `widths stay while values change`() async throws {
    let file = try await TestFile(
      "CREATE TABLE m (id INTEGER PRIMARY KEY, a REAL, b); INSERT INTO m VALUES (1, 123.456, 'x')"
    )
    let tool = try await watch(file)
    #expect(tool.lastRows == ["1  123.456  x"])
    try await file.execute("UPDATE m SET a = 0.1 + 0.2")
    try await tool.wait("a shorter number") { $0.lastRows == ["~  1      0.3  x"] }
    try await file.execute("UPDATE m SET a = 1234567.25")
    try await tool.wait("a longer number") { $0.lastRows == ["~  1  1234567.25  x"] }
  }
}
