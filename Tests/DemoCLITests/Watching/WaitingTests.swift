import Foundation
import Glibc
import Testing
import TestSupport

/// Waiting for files, tables and locks, and files that cannot be locked.
@Suite struct WaitingTests {
  private static let commands: [[String]] = [
    ["watch", "FILE", "t", "--once"], ["query", "FILE", "t"], ["dump", "FILE", "t"],
    ["schema", "FILE", "t"], ["explain", "FILE", "t"], ["tail", "FILE", "t", "--count", "1"],
  ]

  @Test(arguments: commands)
  func `--wait waits for the file, and then for the table`(command: [String]) async throws {
    let file = try await TestFile()
    let tool = try RunningTool(
      arguments: command.map { $0 == "FILE" ? file.path : $0 } + ["--wait"]
    )
    try await tool.wait("the message") { $0.errorText == "wellspring: waiting for \(file.path)\n" }
    try await file.replace(with: "CREATE TABLE other (a)")
    try await tool.wait("the second message") {
      $0.errorText.hasSuffix("wellspring: waiting for the table t in \(file.path)\n")
    }
    try await file.execute("BEGIN; CREATE TABLE t (a); INSERT INTO t VALUES (1); COMMIT")
    #expect(try await tool.exitCode() == 0, "\(tool.errorText)")
    #expect(!tool.outputText.isEmpty)
  }

  @Test(arguments: [
    ["watch", "FILE", "SELECT a FROM t", "--once"], ["query", "FILE", "--sql", "SELECT a FROM t"],
    ["explain", "FILE", "SELECT a FROM t"], ["FILE", "SELECT a FROM t", "--once"],
  ])
  func `--wait waits for the tables of SQL, too`(command: [String]) async throws {
    let file = try await TestFile("CREATE TABLE other (a)")
    let tool = try RunningTool(
      arguments: command.map { $0 == "FILE" ? file.path : $0 } + ["--wait"]
    )
    try await tool.wait("the message") {
      $0.errorText == "wellspring: waiting for the table t in \(file.path)\n"
    }
    try await file.execute("BEGIN; CREATE TABLE t (a); INSERT INTO t VALUES (1); COMMIT")
    #expect(try await tool.exitCode() == 0, "\(tool.errorText)")
    #expect(!tool.outputText.isEmpty)
  }

  @Test func `a missing file without a dot is waited for, and not taken for a command`()
    async throws
  {
    let tool = try RunningTool("data-that-is-missing", "--wait")
    try await tool.wait("the message") {
      $0.errorText == "wellspring: waiting for data-that-is-missing\n"
    }
    tool.send(SIGTERM)
    #expect(try await tool.exitCode() == 0)
  }

  @Test func `waiting for a table can be ended`() async throws {
    let file = try await TestFile("CREATE TABLE other (a)")
    for command in [["tail", file.path, "t"], ["exec", file.path, "t", "--on-change", "true"]] {
      let tool = try RunningTool(arguments: command + ["--wait"])
      try await tool.wait("the message") { $0.errorText.contains("waiting for the table t") }
      tool.send(SIGTERM)
      #expect(try await tool.exitCode() == 0)
    }
  }

  /// Starts a shell that locks a file against readers.
  private func lock(_ file: TestFile) throws -> ChildProcess {
    let shell = try ChildProcess(["sqlite3", file.path])
    shell.write("BEGIN EXCLUSIVE; UPDATE t SET a = 2; SELECT 'lock' || 'ed';\n")
    _ = shell.read(until: "locked\n")
    return shell
  }

  @Test(arguments: commands)
  func `a locked file is waited for, with a message`(command: [String]) async throws {
    let file = try await TestFile("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let shell = try lock(file)
    let tool = try RunningTool(arguments: command.map { $0 == "FILE" ? file.path : $0 })
    try await tool.wait("the message") {
      $0.errorText
        == "wellspring: waiting for \(file.path), which another process has locked\n"
    }
    shell.write("COMMIT;\n")
    #expect(try await tool.exitCode() == 0, "\(tool.errorText)")
    #expect(!tool.outputText.isEmpty)
    shell.endInput()
    shell.wait()
  }

  @Test func `on the screen, too, and waiting for a lock can be ended`() async throws {
    let file = try await TestFile("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let shell = try lock(file)
    let tool = try RunningTool("watch", file.path, "t", output: .terminal(columns: 200, rows: 10))
    try await tool.wait("the message") {
      $0.lastFrame.last?.contains("which another process has locked") == true
    }
    let other = try RunningTool("watch", file.path, "t")
    try await other.wait("the message") {
      $0.errorText.contains("which another process has locked")
    }
    other.send(SIGINT)
    #expect(try await other.exitCode() == 0)
    shell.write("COMMIT;\n")
    try await tool.wait("the row") {
      $0.lastRows.last == "2" && !$0.lastFrame.contains { $0.contains("locked") }
    }
    shell.endInput()
    shell.wait()
  }

  @Test func `q ends the waiting for a file, and that for the first rows`() async throws {
    let file = try await TestFile("CREATE TABLE t (a)")
    let waiting = try RunningTool(
      "watch",
      file.path + ".later",
      "--wait",
      output: .terminal(columns: 200, rows: 10)
    )
    try await waiting.wait("the message") {
      $0.lastFrame.last?.contains("waiting for") == true
    }
    try waiting.type("xq")
    #expect(try await waiting.exitCode() == 0)
    let slow = """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1e12)
      SELECT max(i) FROM n
      """
    let working = try RunningTool(
      arguments: ["watch", file.path, "--sql", slow],
      output: .terminal(columns: 200, rows: 10)
    )
    try await working.wait("the work") { $0.lastFrame.first?.contains("working") == true }
    try working.type("q")
    #expect(try await working.exitCode() == 0)
  }

  /// Runs the tool as a user who cannot write the folder.
  private func reader(_ arguments: String...) throws -> RunningTool {
    guard geteuid() == 0 else { return try RunningTool(arguments: arguments) }
    return try RunningTool(
      executable: "setpriv",
      arguments: ["--reuid=65534", "--regid=65534", "--clear-groups", RunningTool.toolPath]
        + arguments
    )
  }

  @Test func `--immutable reads a file in a folder that cannot be written, and the error says so`()
    async throws
  {
    let file = try await TestFile(
      "PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)"
    )
    try #require(chmod(file.path, 0o444) == 0 && chmod(file.directory.path, 0o555) == 0)
    defer { chmod(file.directory.path, 0o755) }
    let refused = try reader("query", file.path, "t")
    #expect(try await refused.exitCode() == 1)
    #expect(
      refused.errorText.hasSuffix(
        "; its folder cannot be written: if no process changes the file, --immutable reads it\n"
      ),
      "\(refused.errorText)"
    )
    let tool = try reader("query", file.path, "t", "--immutable")
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText == "{\"a\":1}\n")
    #expect(tool.errorText.isEmpty)
    let watch = try reader("watch", file.path, "t", "--immutable")
    #expect(try await watch.nextLine().hasSuffix(#"[{"a":1}]}"#))
  }

  @Test func `--immutable warns of a WAL with commits, which SQLite ignores`() async throws {
    let file = try await TestFile("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    let shell = try ChildProcess(["sqlite3", file.path])
    shell.write("INSERT INTO t VALUES (1); SELECT 'do' || 'ne';\n")
    _ = shell.read(until: "done\n")
    let tool = try RunningTool("query", file.path, "t", "--immutable")
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText.isEmpty)
    #expect(
      tool.errorText
        == "wellspring: warning: \(file.path)-wal holds commits that --immutable does not read\n"
    )
    // The warning comes once, however long the table is waited for.
    let waiting = try RunningTool("query", file.path, "u", "--immutable", "--wait")
    try await waiting.wait("the message") { $0.errorText.contains("waiting for the table u") }
    shell.write("CREATE TABLE u (a); PRAGMA wal_checkpoint; INSERT INTO t VALUES (2);\n")
    #expect(try await waiting.exitCode() == 0, "\(waiting.errorText)")
    #expect(waiting.errorText.split(separator: "\n").count { $0.contains("warning") } == 1)
    shell.endInput()
    shell.wait()
  }

  @Test func `tail starts again at a file that has replaced the former one`() async throws {
    let file = try await TestFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (100), (101)"
    )
    let tool = try RunningTool("tail", file.path, "t")
    #expect(try await tool.nextLine() == #"{"id":100}"#)
    #expect(try await tool.nextLine() == #"{"id":101}"#)
    try await file.replace(
      with: "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2)"
    )
    #expect(try await tool.nextLine() == #"{"id":1}"#)
    #expect(try await tool.nextLine() == #"{"id":2}"#)
    #expect(
      tool.errorText.contains(
        "wellspring: \(file.path) was replaced: its rows are printed from the first one on\n"
      )
    )
    try await file.execute("INSERT INTO t VALUES (3)")
    #expect(try await tool.nextLine() == #"{"id":3}"#)
    // A file whose highest row id is the same.
    try await file.replace(
      with: "CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (3, 'other')"
    )
    #expect(try await tool.nextLine() == #"{"id":3,"a":"other"}"#)
  }
}
