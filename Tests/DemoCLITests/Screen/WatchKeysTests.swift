import Glibc
import Testing

/// The keys of `watch`, on a pseudo-terminal.
@Suite struct WatchKeysTests {
  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price INTEGER);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
    INSERT INTO item SELECT i, 'thing ' || i, 100 - i FROM n;
    """

  /// Starts a watch in a window of ten lines, with room for six of 50 rows and a note.
  private func watch(
    _ file: TestFile,
    _ arguments: String...,
    columns: UInt16 = 60
  ) async throws -> RunningTool {
    // `swift test` sets NO_COLOR when its own output is not a terminal.
    let tool = try RunningTool(
      executable: "env",
      arguments: ["-u", "NO_COLOR", RunningTool.toolPath, "watch", file.path] + arguments,
      output: .terminal(columns: columns, rows: 10)
    )
    try await tool.wait("the table") { $0.lastRows.first?.contains("thing ") == true }
    return tool
  }

  @Test func `arrows, pages and ends scroll the rows`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(file, "item")
    #expect(tool.lastRows.last == "… 44 more rows")
    try tool.type("\u{1B}[B\u{1B}[B")
    try await tool.wait("two rows down") { $0.lastRows.first == "… 2 more rows above" }
    #expect(tool.lastRows[1].hasPrefix("3  thing 3 "))
    try tool.type("\u{1B}[A")
    try await tool.wait("one row up") { $0.lastRows.first == "… 1 more row above" }
    try tool.type("\u{1B}[6~")
    try await tool.wait("a page down") { $0.lastRows.first == "… 6 more rows above" }
    try tool.type("\u{1B}[F")
    try await tool.wait("the end") { $0.lastRows.last?.hasPrefix("50  thing 50") == true }
    #expect(tool.lastRows.first == "… 44 more rows above")
    try tool.type("\u{1B}[5~")
    try await tool.wait("a page up") { $0.lastRows.last?.hasPrefix("… ") == true }
    try tool.type("\u{1B}[H")
    try await tool.wait("the top") { $0.lastRows.first?.hasPrefix("1  thing 1 ") == true }
  }

  @Test func `columns that do not fit are reached with the arrows`() async throws {
    let names = (1...30).map { "c\($0)" }
    let file = try await TestFile(
      """
      CREATE TABLE t (\(names.joined(separator: ", ")));
      INSERT INTO t (c1) VALUES ('thing 1 ');
      """
    )
    let tool = try await watch(file, "t")
    #expect(!tool.lastFrame[1].contains("c20"))
    try tool.type(String(repeating: "\u{1B}[C", count: 19))
    try await tool.wait("the column") { tool in
      tool.lastFrame[1].drop { $0 == " " }.hasPrefix("c20")
    }
    try tool.type(String(repeating: "\u{1B}[D", count: 19))
    try await tool.wait("the first column") { $0.lastFrame[1].contains("c1 ") }
  }

  @Test func `n reaches a change that is off the screen, and the changed cell is marked`()
    async throws
  {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(file, "item")
    try tool.type("j")
    try await tool.wait("the scrolling") { $0.lastRows.first == "… 1 more row above" }
    try await file.execute("UPDATE item SET price = 7 WHERE id IN (20, 30)")
    try await tool.wait("the note") { $0.lastRows.last == "… 44 more rows (2 marked)" }
    try tool.type("n")
    try await tool.wait("the first change") {
      $0.lastRows.dropFirst().first == "~ 20  thing 20      7"
    }
    // The cell, and no other one, is bold yellow.
    #expect(tool.outputText.contains("\u{1B}[1;33m7\u{1B}[0m"))
    #expect(!tool.outputText.contains("\u{1B}[1;33mthing"))
    try tool.type("n")
    try await tool.wait("the second change") {
      $0.lastRows.dropFirst().first == "~ 30  thing 30      7"
    }
    try tool.type("N")
    try await tool.wait("the first change") {
      $0.lastRows.dropFirst().first == "~ 20  thing 20      7"
    }
    try tool.type("f")
    try await tool.wait("the changes again") { $0.lastRows.first == "… 17 more rows above" }
  }

  @Test func `s sorts by the next column, and r reverses the order`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(file, "item")
    try tool.type("sss")
    try await tool.wait("the order by price") {
      $0.lastRows.first?.hasPrefix("50  thing 50") == true
    }
    #expect(tool.lastFrame[1].contains("price ▲"))
    try tool.type("r")
    try await tool.wait("the other order") { $0.lastRows.first?.hasPrefix("1  thing 1 ") == true }
    #expect(tool.lastFrame[1].contains("price ▼"))
    try tool.type("s")
    try await tool.wait("no order") { !$0.lastFrame[1].contains("▼") }
  }

  @Test func `a filter shows the rows that contain a text, until escape`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(file, "item")
    try tool.type("/")
    try await tool.wait("the prompt") { $0.lastFrame.last == "/_" }
    try tool.type("THINg 4x\u{7F}\r")
    try await tool.wait("the rows") { $0.lastFrame[0].contains("with 'THINg 4'   11 rows") }
    #expect(tool.lastRows.first?.hasPrefix("4  thing 4 ") == true)
    // A new row that does not match is not shown, and a new row that matches is shown.
    try await file.execute(
      "INSERT INTO item VALUES (0, 'other', 1), (60, 'thing 4''s', 2)"
    )
    try await tool.wait("the new row") { $0.lastFrame[0].contains("12 rows") }
    try tool.type("\u{1B}")
    try await tool.wait("all rows") { $0.lastFrame[0].contains("52 rows") }
  }

  @Test func `p stops the picture, and goes on with the newest state`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(file, "item")
    try tool.type("p")
    try await tool.wait("the pause") { $0.lastFrame[0].contains("paused") }
    try await file.execute("UPDATE item SET name = 'other' WHERE id = 1")
    // Scrolling shows the state of the pause.
    try tool.type("jk")
    try await tool.wait("the top") { $0.lastRows.first?.hasPrefix("1  thing 1 ") == true }
    try tool.type("p")
    try await tool.wait("the change") { $0.lastRows.first?.hasPrefix("~  1  other") == true }
    #expect(!tool.lastFrame[0].contains("paused"))
  }

  @Test func `a question mark shows the keys, and q quits`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(file, "item")
    try tool.type("?")
    try await tool.wait("the help") { $0.lastFrame.contains { $0.contains("jump to the next") } }
    try tool.type("x")
    try await tool.wait("the table") { $0.lastFrame.contains { $0.contains("thing 1 ") } }
    try tool.type("q")
    #expect(try await tool.exitCode() == 0)
    #expect(tool.errorText.isEmpty)
    #expect(tool.terminalEchoes)
  }

  @Test func `several panes share the window, and tab gives the keys to the next one`()
    async throws
  {
    let file = try await TestFile(Self.schema)
    let tool = try await watch(
      file,
      "item",
      "--sql",
      "SELECT count(*) AS n FROM item",
      columns: 90
    )
    // A heading, the names and one row are all that the second pane needs.
    #expect(tool.lastFrame.count == 9)
    #expect(tool.lastFrame[0].hasPrefix("> test.sqlite · item   50 rows"))
    #expect(tool.lastFrame[6].hasPrefix("  SELECT count(*) AS n FROM item   1 row"))
    #expect(tool.lastRows.last == "50")
    try await file.execute("DELETE FROM item WHERE id = 50")
    try await tool.wait("both changes") {
      $0.lastFrame[0].contains("49 rows") && $0.lastFrame.contains { $0.contains("~ 49") }
    }
    try tool.type("\t")
    try await tool.wait("the focus") { $0.lastFrame[0].hasPrefix("  test.sqlite") }
  }
}
