import Foundation
import Glibc
import Testing

/// `watch` in a separate process, with its output in a pipe.
@Suite struct WatchOutputTests {
  @Test(arguments: ["WAL", "DELETE"])
  func `each commit of another process gives a line of JSON`(journalMode: String) async throws {
    let file = try await TestFile(
      """
      PRAGMA journal_mode = \(journalMode);
      CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO item VALUES (1, 'cup'), (2, NULL);
      """
    )
    let tool = try RunningTool("watch", file.path, "item")
    #expect(
      try await tool.nextLine().hasSuffix(#""rows":[{"id":1,"name":"cup"},{"id":2,"name":null}]}"#)
    )
    try await file.execute("UPDATE item SET name = 'pot' WHERE id = 2")
    #expect(
      try await tool.nextLine().hasSuffix(#""rows":[{"id":1,"name":"cup"},{"id":2,"name":"pot"}]}"#)
    )
    try await file.execute("DELETE FROM item")
    #expect(try await tool.nextLine().hasSuffix(#""columns":["id","name"],"rows":[]}"#))
    #expect(tool.errorText.isEmpty)
  }

  @Test func `SQL is watched like a table, with increasing numbers`() async throws {
    let file = try await TestFile("CREATE TABLE n (x); INSERT INTO n VALUES (1)")
    let tool = try RunningTool("watch", file.path, "--sql", "SELECT sum(x) AS s, 1 AS s FROM n")
    let first = try Line(await tool.nextLine())
    #expect(first.columns == ["s", "s_2"])
    #expect(first.rows == [["s": 1, "s_2": 1]])
    try await file.execute("INSERT INTO n VALUES (2.5)")
    let second = try Line(await tool.nextLine())
    #expect(second.rows == [["s": 3.5, "s_2": 1]])
    #expect(second.number > first.number)
  }

  @Test func `a table that is altered, dropped or recreated stays watched`() async throws {
    let file = try await TestFile("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let tool = try RunningTool("watch", file.path, "t")
    #expect(try await tool.nextLine().hasSuffix(#""columns":["a"],"rows":[{"a":1}]}"#))
    try await file.execute("ALTER TABLE t ADD COLUMN b DEFAULT 'x'")
    #expect(try await tool.nextLine().hasSuffix(#""columns":["a","b"],"rows":[{"a":1,"b":"x"}]}"#))
    try await file.execute("DROP TABLE t")
    try await tool.wait("the error") { $0.errorText.contains("no such table: t") }
    try await file.execute(
      "BEGIN; CREATE TABLE t (c PRIMARY KEY) WITHOUT ROWID; INSERT INTO t VALUES (9); COMMIT"
    )
    #expect(try await tool.nextLine(with: #""columns":["c"]"#).hasSuffix(#""rows":[{"c":9}]}"#))
  }

  @Test func `a table with many rows is written as one complete line`() async throws {
    let file = try await TestFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, x);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO t SELECT i, 'row ' || i FROM n;
      """
    )
    let tool = try RunningTool("watch", file.path, "t")
    let line = try await tool.nextLine()
    #expect(line.hasSuffix(#",{"id":20000,"x":"row 20000"}]}"#))
    #expect(line.utf8.count { $0 == UInt8(ascii: "{") } == 20_001)
  }

  @Test(arguments: [["--count", "2"], ["--once", "--wait"]])
  func `a signal before --count or --once is reached gives the exit code 130`(
    options: [String]
  ) async throws {
    let file = try await TestFile("CREATE TABLE t (a)")
    let table = options.contains("--wait") ? "missing" : "t"
    let tool = try RunningTool(arguments: ["watch", file.path, table] + options)
    try await tool.wait("the start") { !($0.outputText + $0.errorText).isEmpty }
    tool.send(SIGINT)
    #expect(try await tool.exitCode() == 130)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends the watch with exit code 0`(signal: Int32) async throws {
    let file = try await TestFile("CREATE TABLE t (a)")
    let tool = try RunningTool("watch", file.path, "t")
    _ = try await tool.nextLine()
    tool.send(signal)
    #expect(try await tool.exitCode() == 0)
    #expect(tool.errorText.isEmpty)
  }

  @Test func `a closed pipe ends the watch with exit code 0, without waiting for a change`()
    async throws
  {
    let file = try await TestFile("CREATE TABLE t (a)")
    let tool = try RunningTool("watch", file.path, "t")
    _ = try await tool.nextLine()
    tool.closeOutput()
    #expect(try await tool.exitCode() == 0)
    #expect(tool.errorText.isEmpty)
  }

  @Test func `the watch can end while its pipe is full and not read`() async throws {
    let file = try await TestFile(
      """
      CREATE TABLE t (x);
      INSERT INTO t VALUES (hex(zeroblob(5000000)));
      """
    )
    let tool = try RunningTool("watch", file.path, "t")
    tool.readsOutput = false
    // The tool has started to write, and cannot continue.
    try await tool.waitForFullPipe()
    tool.send(SIGTERM)
    #expect(try await tool.exitCode() == 0)
  }

  @Test func `a file that goes missing is reported once, and watched again when it is back`()
    async throws
  {
    let file = try await TestFile("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let tool = try RunningTool("watch", file.path, "t")
    #expect(try await tool.nextLine().hasSuffix(#""rows":[{"a":1}]}"#))
    try FileManager.default.removeItem(atPath: file.path)
    try await tool.wait("the error") { $0.errorText.hasSuffix("\n") }
    #expect(tool.errorText == "wellspring: no such file: \(file.path)\n")
    try await file.replace(with: "CREATE TABLE t (a); INSERT INTO t VALUES (2)")
    #expect(try await tool.nextLine(with: #"{"a":2}"#).hasSuffix(#""rows":[{"a":2}]}"#))
    tool.send(SIGTERM)
    #expect(try await tool.exitCode() == 0)
    #expect(tool.errorText == "wellspring: no such file: \(file.path)\n")
  }

  @Test func `with --wait a missing file is waited for`() async throws {
    let file = try await TestFile()
    let tool = try RunningTool("watch", "--wait", file.path, "t")
    try await tool.wait("the message") { $0.errorText.contains("waiting for \(file.path)\n") }
    try await file.replace(with: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    #expect(try await tool.nextLine().hasSuffix(#""rows":[{"a":1}]}"#))
  }

  @Test func `waiting for a file can be ended`() async throws {
    let file = try await TestFile()
    let tool = try RunningTool("watch", "--wait", file.path, "t")
    try await tool.wait("the message") { $0.errorText.contains("waiting") }
    tool.send(SIGINT)
    #expect(try await tool.exitCode() == 0)
  }

  @Test(arguments: ["WAL", "DELETE"])
  func `watching changes neither the file nor its journal mode, and blocks no other process`(
    journalMode: String
  ) async throws {
    let file = try await TestFile(
      "PRAGMA journal_mode = \(journalMode); CREATE TABLE t (a); INSERT INTO t VALUES (1)"
    )
    let before = try Data(contentsOf: URL(fileURLWithPath: file.path))
    let tool = try RunningTool("watch", file.path, "t")
    _ = try await tool.nextLine()
    // Neither an exclusive transaction nor a truncating checkpoint is possible during a read.
    let shell = try RunningTool(
      executable: "sqlite3",
      arguments: [
        file.path,
        "BEGIN EXCLUSIVE; ROLLBACK; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode",
      ]
    )
    #expect(try await shell.exitCode() == 0, "\(shell.errorText)")
    let (checkpoint, mode) = journalMode == "WAL" ? ("0|0|0", "wal") : ("0|-1|-1", "delete")
    #expect(shell.outputText == "\(checkpoint)\n\(mode)\n")
    tool.send(SIGTERM)
    #expect(try await tool.exitCode() == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == before)
  }
}

/// A line of JSON with only numbers in its rows.
private struct Line: Decodable {
  let number: Int
  let columns: [String]
  let rows: [[String: Double]]

  init(_ text: String) throws {
    self = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
  }
}
