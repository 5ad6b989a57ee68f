import Testing

/// The options of `watch` that choose rows and columns, on a pseudo-terminal.
@Suite struct WatchOptionsTests {
  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, stock INTEGER);
    INSERT INTO item VALUES (1, 'cup', 5), (2, 'pot', 9), (3, 'jug', 2), (4, 'lid', 30);
    """

  private func watch(_ file: TestFile, _ arguments: String...) throws -> RunningTool {
    // `swift test` sets NO_COLOR when its own output is not a terminal.
    try RunningTool(
      executable: "env",
      arguments: ["-u", "NO_COLOR", RunningTool.toolPath, "watch", file.path] + arguments,
      output: .terminal(columns: 90, rows: 24)
    )
  }

  @Test func `--where, --order, --limit and --columns choose what a table shows`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try watch(
      file,
      "item",
      "--where",
      "stock < 10",
      "--order",
      "stock DESC",
      "--limit",
      "2",
      "--columns",
      "name,stock"
    )
    try await tool.wait("the table") { $0.lastRows == ["pot       9", "cup       5"] }
    #expect(tool.lastFrame[1].split(separator: " ") == ["name", "stock"])
    try await file.execute("UPDATE item SET stock = 7 WHERE id IN (3, 4)")
    // The rows are identified by a key that is not shown.
    try await tool.wait("the change") {
      $0.lastRows.map { $0.split(separator: " ").prefix(2) }
        == [["pot", "9"], ["-", "cup"], ["+", "jug"]]
    }
  }

  @Test func `--arg gives a statement its values, and --key says which row has changed`()
    async throws
  {
    let file = try await TestFile(Self.schema)
    let tool = try watch(
      file,
      "--sql",
      "SELECT name, stock FROM item WHERE stock < :most AND id <> ? ORDER BY id",
      "--arg",
      ":most=20",
      "--arg",
      "3",
      "--key",
      "name"
    )
    try await tool.wait("the rows") { $0.lastRows == ["cup       5", "pot       9"] }
    try await file.execute("UPDATE item SET stock = 6 WHERE id = 1")
    try await tool.wait("the change") { $0.lastRows == ["~ cup       6", "pot       9"] }
    // Only the cell that has changed is bold yellow.
    #expect(tool.outputText.contains("\u{1B}[1;33m6\u{1B}[0m"))
    #expect(!tool.outputText.contains("\u{1B}[1;33mcup"))
  }

  @Test func `--key identifies the rows of a view`() async throws {
    let file = try await TestFile(
      Self.schema + "CREATE VIEW low AS SELECT name, stock * 2 AS twice FROM item WHERE stock < 6"
    )
    let tool = try watch(file, "low", "--key", "name")
    try await tool.wait("the rows") { $0.lastRows == ["cup      10", "jug       4"] }
    try await file.execute("UPDATE item SET stock = stock - 1")
    try await tool.wait("the change") { $0.lastRows == ["~ cup       8", "~ jug       2"] }
  }

  @Test func `without --key, a changed row is recognized by what stays equal`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try watch(file, "--sql", "SELECT name, stock FROM item WHERE id = 1")
    try await tool.wait("the row") { $0.lastRows == ["cup       5"] }
    try await file.execute("UPDATE item SET stock = 6 WHERE id = 1")
    try await tool.wait("the change") { $0.lastRows == ["~ cup       6"] }
  }
}
