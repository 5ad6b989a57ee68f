import Foundation
import Glibc
import Testing

/// The tables of a file: `wellspring FILE`.
@Suite struct OverviewTests {
  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO item VALUES (1, 'cup'), (2, 'pot');
    CREATE TABLE sale (id INTEGER PRIMARY KEY, item INTEGER);
    CREATE VIEW sold AS SELECT name FROM item JOIN sale ON item = item.id;
    CREATE VIEW broken AS SELECT * FROM missing;
    """

  @Test func `a file alone shows its tables and views with their numbers of rows, live`()
    async throws
  {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(file.path, output: .terminal(columns: 70, rows: 12))
    try await tool.wait("the tables") {
      $0.lastRows == [
        ">item    table     2", "sale    table     0", "broken  view   NULL", "sold    view      0",
      ]
    }
    #expect(tool.lastFrame[0].hasPrefix("test.sqlite · overview   4 rows"))
    try await file.execute("INSERT INTO sale VALUES (1, 2)")
    try await tool.wait("the sale") {
      $0.lastRows[1] == "~ sale    table     1" && $0.lastRows[3] == "~ sold    view      1"
    }
    // One commit: the next one would remove the mark.
    try await file.execute(
      "BEGIN; CREATE TABLE \"a '\"\" table\" (x); DROP VIEW broken; COMMIT"
    )
    try await tool.wait("the new table") { $0.lastRows.contains { $0.hasPrefix("+ a '\" table") } }
  }

  @Test func `enter watches a table, and escape goes back`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool("watch", file.path, output: .terminal(columns: 200, rows: 12))
    try await tool.wait("the tables") { $0.lastRows.first == ">item    table     2" }
    try tool.type("\r")
    try await tool.wait("the table") { $0.lastRows == ["1  cup", "2  pot"] }
    #expect(tool.lastFrame[0].contains("test.sqlite · item   2 rows"))
    try await file.execute("INSERT INTO item VALUES (3, 'jug')")
    try await tool.wait("the new row") { $0.lastRows.last == "+  3  jug" }
    try tool.type("\u{1B}")
    try await tool.wait("the tables again") { $0.lastRows.first?.hasSuffix("table     3") == true }
    // A view that cannot be read does not end the tool.
    try tool.type("jj\r")
    try await tool.wait("the problem") {
      $0.lastFrame.last?.contains("no such table: main.missing") == true
    }
    try tool.type("\u{1B}[Ak\r")
    try await tool.wait("the table") { $0.lastRows.first == "1  cup" }
    try tool.type("q")
    #expect(try await tool.exitCode() == 0)
  }

  @Test(arguments: [(columns: 80, rows: 24), (columns: 200, rows: 50)])
  func `the overview fills the window, scrolls with the selection, and fits another one`(
    columns: UInt16,
    rows: UInt16
  ) async throws {
    let names = (10..<80).map { "table_\($0)_\(String(repeating: "long_", count: $0 % 7))name" }
    let file = try await TestFile(
      names.map { "CREATE TABLE \($0) (a); INSERT INTO \($0) VALUES (1)" }.joined(separator: ";")
    )
    let tool = try RunningTool(file.path, output: .terminal(columns: columns, rows: rows))
    let lines = Int(rows) - 1
    try await tool.wait("the tables") { $0.lastRows.first?.hasPrefix(">table_10_") == true }
    #expect(tool.lastFrame.count == lines)
    #expect(tool.lastFrame.allSatisfy { $0.count <= Int(columns) })
    // The title, the names of the columns, and the note take a line each.
    #expect(tool.lastRows.last == "… \(70 - (lines - 3)) more rows")
    try tool.type("G")
    try await tool.wait("the last table") {
      $0.lastRows.last?.hasPrefix(">table_79_long_long_name") == true
    }
    #expect(tool.lastRows.first == "… \(70 - (lines - 3)) more rows above")
    try await file.execute("INSERT INTO \(names[69]) VALUES (2)")
    try await tool.wait("the new number") {
      $0.lastRows.last?.hasPrefix("~") == true && $0.lastRows.last?.hasSuffix("2") == true
    }
    try tool.resize(columns: 40, rows: 10)
    try await tool.wait("the smaller window") { $0.lastFrame.count == 9 }
    #expect(tool.lastFrame.allSatisfy { $0.count <= 40 })
    try tool.type("\r")
    try await tool.wait("the table") { $0.lastRows == ["1", "2"] }
  }

  @Test func `in a pipe the overview is written whenever it changes`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(file.path)
    #expect(try await tool.nextLine().contains(#"{"name":"item","kind":"table","rows":2}"#))
    try await file.execute("DELETE FROM item")
    _ = try await tool.nextLine(with: #"{"name":"item","kind":"table","rows":0}"#)
  }

  @Test func `a file with tables is watch`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(file.path, "item", "--once", "--format", "csv")
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText == "id,name\r\n1,cup\r\n2,pot\r\n")
  }

  @Test(arguments: ["query", "watch", "explain"])
  func `SQL is understood where a table is expected`(command: String) async throws {
    let file = try await TestFile(Self.schema)
    let options = ["watch": ["--once"]]
    let tool = try RunningTool(
      arguments: [command, file.path, "SELECT count(*) AS n FROM item"] + (options[command] ?? [])
    )
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText.contains(command == "explain" ? "item" : #""n":"#))
  }

  @Test func `without TERM nothing is drawn in place`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(
      executable: "env",
      arguments: ["-u", "TERM", RunningTool.toolPath, "watch", file.path, "item"],
      output: .terminal(columns: 80, rows: 24)
    )
    try await tool.wait("the table") { $0.outputText.contains("2 rows\r\n") }
    #expect(!tool.outputText.contains("\u{1B}"))
  }
}
