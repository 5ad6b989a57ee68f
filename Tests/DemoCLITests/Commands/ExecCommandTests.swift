import Foundation
import Glibc
import Testing
import TestSupport

@testable import DemoCLI

/// `exec`, with commands of the shell.
@Suite struct ExecCommandTests {
  private static let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)"

  private func probe(_ number: Int) -> String {
    "INSERT INTO t VALUES (\(number), 'probe \(number)')"
  }

  @Test func `the changes are the standard input of the command`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool("exec", file.path, "t", "--on-change", "echo begin; cat; echo end")
    try await file.probe(tool, probe)
    _ = try await tool.nextLine(with: "end")
    try await file.execute("INSERT INTO t VALUES (1, 'a'), (2, 'b')")
    let first = try await tool.nextLine(with: #""x":"a""#)
    #expect(first.contains(#""change":"inserted","row":{"id":1,"x":"a"}"#))
    #expect(try await tool.nextLine().contains(#""change":"inserted","row":{"id":2,"x":"b"}"#))
    #expect(try await tool.nextLine() == "end")
    tool.send(SIGTERM)
    #expect(try await tool.exitCode() == 0)
    #expect(tool.errorText.isEmpty)
  }

  @Test func `no commit during a run is lost`() async throws {
    let file = try await TestFile(Self.schema)
    let gate = file.directory.appendingPathComponent("gate").path
    // The first run with the row 1 waits for the gate.
    let command = """
      tee -a '\(file.path).log' | grep -q '"x":"wait"' && until [ -e '\(gate)' ]; do sleep 0.01; done
      echo run
      """
    let tool = try RunningTool("exec", file.path, "t", "--format", "diff", "--on-change", command)
    var number = 1000
    let deadline = ContinuousClock.now + Patience.limit
    while .now < deadline,
      try await !tool.comes(within: .milliseconds(300), { $0.outputText.contains("run") })
    {
      try await file.execute(probe(number))
      number += 1
    }
    try await file.execute("INSERT INTO t VALUES (1, 'wait')")
    let log = { try String(contentsOfFile: file.path + ".log", encoding: .utf8) }
    try await tool.wait("the run") { _ in try log().contains("wait") }
    for id in 2...20 { try await file.execute("INSERT INTO t VALUES (\(id), 'row \(id)')") }
    try await file.execute("UPDATE t SET x = 'changed' WHERE id = 1")
    #expect(FileManager.default.createFile(atPath: gate, contents: nil))
    try await tool.wait("the last change") { _ in try log().contains("changed") }
    let text = try log()
    for id in 2...20 {
      #expect(text.components(separatedBy: "\"row \(id)\"").count == 2, "row \(id)")
    }
    #expect(text.contains("-{\"id\":1,\"x\":\"wait\"}\n+{\"id\":1,\"x\":\"changed\"}\n"))
  }

  @Test(arguments: [("exit 3", "exit code 3"), ("kill -9 $$", "signal 9")])
  func `a failure is reported, and the next change runs the command again`(
    command: String,
    failure: String
  ) async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool("exec", file.path, "t", "--on-change", "cat; \(command)")
    try await file.probe(tool, probe)
    let message = try Regex("wellspring: the command failed for commit \\d+: \(failure)\n")
    try await tool.wait("the report") { $0.errorText.contains(message) }
    try await file.execute("INSERT INTO t VALUES (1, 'again')")
    try await tool.wait("the next run") { $0.outputText.contains("again") }
    tool.send(SIGTERM)
    #expect(try await tool.exitCode() == 0)
  }

  @Test func `SQL can stand in the place of a table, and --count ends after that many runs`()
    async throws
  {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(
      arguments: [
        "exec", file.path, "SELECT count(*) AS n, max(x) AS x FROM t",
        "--count", "1", "--on-change", "cat", "--format", "diff",
      ]
    )
    try await file.probe(tool, probe)
    #expect(try await tool.exitCode() == 0)
    let change = /-\{"n":\d+,"x":.*\}\n\+\{"n":\d+,"x":"probe/
    #expect(tool.outputText.firstMatch(of: change) != nil)
  }

  @Test func `a command that does not read its input is no failure`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(
      arguments: [
        "exec", file.path, "t", "--count", "1", "--on-change", "seq -f 'probe %.0f' 1000 1199",
      ]
    )
    try await file.probe(tool) { _ in
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO t (x) SELECT 'row ' || i FROM n
      """
    }
    #expect(try await tool.exitCode() == 0)
    #expect(tool.errorText.isEmpty)
  }
}
