import TestSupport
import Testing

/// Files without a log, where a process that reads blocks writers, and a process that writes blocks
/// readers.
@Suite struct WatchLockTests {
  private func makeFile(rows: Int) async throws -> TestFile {
    try await TestFile(
      """
      CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT);
      INSERT INTO log SELECT value, 'line ' || value FROM generate_series(1, \(rows));
      """
    )
  }

  private func watch(_ file: TestFile) async throws -> RunningTool {
    let tool = try RunningTool(
      "watch",
      file.path,
      "log",
      output: .terminal(columns: 60, rows: 10)
    )
    try await tool.wait("the table") { $0.lastRows.first == "1  line 1" }
    return tool
  }

  @Test func `the time of a lock does not put off what is shown after it`() async throws {
    let file = try await makeFile(rows: 5000)
    let tool = try await watch(file)
    let shell = try ChildProcess(["sqlite3", "-cmd", ".timeout 10000", file.path])
    shell.write("BEGIN EXCLUSIVE; UPDATE log SET text = 'new'; SELECT 'lock' || 'ed';\n")
    _ = shell.read(until: "locked\n")
    try tool.type("G")
    try await tool.wait("the note") { $0.lastFrame[0].contains("working") }
    shell.write(".shell sleep 3\nCOMMIT;\n")
    try await tool.wait("the last row") { $0.lastRows.last?.hasSuffix("5000  new") == true }
    try await file.execute("INSERT INTO log VALUES (5001, 'last')")
    let comes = try await tool.comes(within: .seconds(20)) { $0.lastRows.last == "+ 5001  last" }
    #expect(comes, "\(tool.lastRows)")
    shell.endInput()
    shell.wait()
  }

  // Without a time-out, a write that meets a reader fails immediately. Each write is shown before
  // the next write, since a file that is written all the time is read with locks in the end.
  @Test func `a screen makes no write of another process fail`() async throws {
    let file = try await makeFile(rows: 20_000)
    let tool = try await watch(file)
    for number in 1...60 {
      let shell = try RunningTool(
        executable: "sqlite3",
        arguments: [file.path, "UPDATE log SET text = 'new \(number)' WHERE id % 1000 = 1"]
      )
      try #require(await shell.exitCode() == 0, "\(shell.errorText)")
      try await tool.wait("the change") { $0.lastRows.first?.hasSuffix("new \(number)") == true }
    }
  }
}
