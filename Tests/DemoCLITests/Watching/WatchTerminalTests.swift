import Foundation
import Glibc
import Testing

/// `watch` on a pseudo-terminal.
@Suite struct WatchTerminalTests {
  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
    INSERT INTO item SELECT i, 'thing ' || i FROM n;
    """

  @Test func `the table fits the window, is drawn in place, and marks its changes`()
    async throws
  {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(
      arguments: ["watch", file.path, "item"],
      output: .terminal(columns: 60, rows: 10)
    )
    try await tool.wait("the table") { $0.lastFrame.contains { $0.contains("thing 1") } }
    #expect(tool.lastFrame.count == 9)
    #expect(tool.lastFrame[0].hasPrefix("test.sqlite · item   50 rows   since "))
    #expect(tool.lastFrame[1].hasPrefix("  id  name"))
    #expect(tool.lastFrame.last == "… 44 more rows")
    try await file.execute(
      """
      BEGIN;
      UPDATE item SET name = 'other' WHERE id = 2;
      DELETE FROM item WHERE id = 3;
      INSERT INTO item VALUES (0, 'first');
      COMMIT;
      """
    )
    try await tool.wait("the change") { $0.lastFrame.contains { $0.contains("other") } }
    let frame = tool.lastFrame.map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(
      frame[2...6] == ["+  0  first", "1  thing 1", "~  2  other", "-  3  thing 3", "4  thing 4"]
    )
    #expect(frame[0].contains("last change"))
    // Nine lines up, to the start of the previous frame.
    #expect(tool.outputText.contains("\u{1B}[9A"))
    tool.send(SIGINT)
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText.hasSuffix("\u{1B}[?25h"))
  }

  @Test func `a resized window is redrawn`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(
      arguments: ["watch", file.path, "item"],
      output: .terminal(columns: 60, rows: 10)
    )
    try await tool.wait("the table") { $0.lastFrame.count == 9 }
    try tool.resize(columns: 30, rows: 20)
    try await tool.wait("the taller table") { $0.lastFrame.count == 19 }
    #expect(tool.lastFrame.allSatisfy { $0.count <= 30 })
    // The previous drawing, which the window has moved, is cleared.
    #expect(tool.outputText.contains("\u{1B}[H\u{1B}[2J"))
    try tool.resize(columns: 200, rows: 6)
    try await tool.wait("the flatter table") { $0.lastFrame.count == 5 }
    #expect(tool.lastFrame[0].hasPrefix(file.path))
  }

  @Test func `a terminal that does not know its size is treated as 80 by 24`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool("watch", file.path, "item", output: .terminal(columns: 0, rows: 0))
    try await tool.wait("the table") { $0.lastFrame.count == 23 }
  }

  @Test func `a missing file is reported below the last value`() async throws {
    let file = try await TestFile("CREATE TABLE t (a); INSERT INTO t VALUES ('here')")
    let tool = try RunningTool("watch", file.path, "t", output: .terminal(columns: 200, rows: 24))
    try await tool.wait("the table") { $0.lastFrame.contains { $0.contains("here") } }
    try FileManager.default.removeItem(atPath: file.path)
    try await tool.wait("the problem") {
      $0.lastFrame.last?.contains("no such file: \(file.path)") == true
    }
    #expect(tool.lastFrame.contains { $0.contains("here") })
    try await file.replace(with: "CREATE TABLE t (a); INSERT INTO t VALUES ('back')")
    try await tool.wait("the new table") { $0.lastFrame.contains { $0.contains("back") } }
    #expect(!tool.lastFrame.contains { $0.contains("no such file") })
  }

  @Test func `typed keys are hidden while the table is shown`() async throws {
    let file = try await TestFile("CREATE TABLE t (a)")
    let tool = try RunningTool("watch", file.path, "t", output: .terminal(columns: 80, rows: 24))
    #expect(tool.terminalEchoes)
    try await tool.wait("the table") { !$0.lastFrame.isEmpty }
    #expect(!tool.terminalEchoes)
    tool.send(SIGTERM)
    #expect(try await tool.exitCode() == 0)
    #expect(tool.terminalEchoes)
  }

  @Test func `a stopped watch restores the terminal, and continues with the process`()
    async throws
  {
    let file = try await TestFile("CREATE TABLE t (a); INSERT INTO t VALUES ('here')")
    let tool = try RunningTool("watch", file.path, "t", output: .terminal(columns: 80, rows: 24))
    try await tool.wait("the table") { $0.lastFrame.contains { $0.contains("here") } }
    tool.send(SIGTSTP)
    try await tool.wait("the stop") {
      try $0.isStopped() && $0.terminalEchoes && $0.outputText.hasSuffix("\u{1B}[?25h")
    }
    tool.send(SIGCONT)
    try await tool.wait("the table again") { $0.outputText.hasSuffix("\u{1B}[?7h") }
    #expect(!tool.terminalEchoes)
  }

  @Test func `closing the terminal ends the watch with exit code 0`() async throws {
    let file = try await TestFile("CREATE TABLE t (a)")
    let tool = try RunningTool("watch", file.path, "t", output: .terminal(columns: 80, rows: 24))
    try await tool.wait("the table") { !$0.lastFrame.isEmpty }
    tool.closeOutput()
    #expect(try await tool.exitCode() == 0)
  }

  @Test func `with TERM=dumb nothing is drawn in place`() async throws {
    let file = try await TestFile("CREATE TABLE t (a); INSERT INTO t VALUES ('here')")
    let tool = try RunningTool(
      executable: "env",
      arguments: ["TERM=dumb", RunningTool.toolPath, "watch", file.path, "t"],
      output: .terminal(columns: 80, rows: 24)
    )
    try await tool.wait("the table") { $0.outputText.contains("1 row\r\n") }
    #expect(tool.outputText == "a\r\n----\r\nhere\r\n1 row\r\n")
    try await file.execute("UPDATE t SET a = 'there'")
    try await tool.wait("the change") { $0.outputText.hasSuffix("\r\nthere\r\n1 row\r\n") }
    #expect(!tool.outputText.contains("\u{1B}"))
  }

  @Test func `with NO_COLOR the table has no colours`() async throws {
    let file = try await TestFile("CREATE TABLE t (a)")
    let tool = try RunningTool(
      executable: "env",
      arguments: ["NO_COLOR=1", RunningTool.toolPath, "watch", file.path, "t"],
      output: .terminal(columns: 80, rows: 24)
    )
    try await tool.wait("the table") { !$0.lastFrame.isEmpty }
    try await file.execute("INSERT INTO t VALUES ('here')")
    try await tool.wait("the change") { $0.lastFrame.contains { $0.contains("+ here") } }
    #expect(tool.outputText.firstMatch(of: /\u{1B}\[[0-9;]*m/) == nil)
  }
}
