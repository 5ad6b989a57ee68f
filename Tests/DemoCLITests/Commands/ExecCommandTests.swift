import Foundation
import Glibc
import Storage
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
    try await tool.waitUntilReady()
    try await file.execute("INSERT INTO t VALUES (1, 'wait')")
    let log = { (try? String(contentsOfFile: file.path + ".log", encoding: .utf8)) ?? "" }
    try await tool.wait("the run") { _ in log().contains("wait") }
    for id in 2...20 { try await file.execute("INSERT INTO t VALUES (\(id), 'row \(id)')") }
    try await file.execute("UPDATE t SET x = 'changed' WHERE id = 1")
    #expect(FileManager.default.createFile(atPath: gate, contents: nil))
    try await tool.wait("the last change") { _ in log().contains("changed") }
    let text = log()
    for id in 2...20 {
      #expect(text.components(separatedBy: "\"row \(id)\"").count == 2, "row \(id)")
    }
    #expect(text.contains("-{\"id\":1,\"x\":\"wait\"}\n+{\"id\":1,\"x\":\"changed\"}\n"))
  }

  @Test(arguments: [("exit 3", "exit code 3"), ("kill -9 $$", "signal 9")])
  func `a failure is reported, and the next change runs the command with the same changes again`(
    command: String,
    failure: String
  ) async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool("exec", file.path, "t", "--on-change", "cat; \(command)")
    try await file.probe(tool, probe)
    let message = try Regex("wellspring: the command failed for commit \\d+: \(failure)\n")
    try await tool.wait("the report") { $0.errorText.contains(message) }
    try await file.execute("INSERT INTO t VALUES (1, 'later')")
    try await tool.wait("the next run") { tool in
      tool.outputText.split(separator: "\n").filter { $0.contains("probe") }.count == 2
    }
    #expect(!tool.outputText.contains("later"))
    tool.send(SIGTERM)
    #expect(try await tool.exitCode() == 0)
  }

  private func withoutTimes(_ text: String) -> String {
    text.replacing(/"time":"[^"]*"/, with: "")
  }

  /// Returns a command that fails while there is no file at a path.
  private func command(failsWithout path: String) -> String { "cat; [ -e '\(path)' ]" }

  @Test func `a batch that failed is sent again before the next one`() async throws {
    let file = try await TestFile(Self.schema)
    let gate = file.path + ".gate"
    let tool = try RunningTool(
      "exec",
      file.path,
      "t",
      "--on-change",
      command(failsWithout: gate) + "; code=$?; echo end $code; exit $code"
    )
    try await file.probe(tool, probe)
    try await tool.wait("the report") { $0.errorText.contains("the command failed") }
    let batch = withoutTimes(tool.outputText)
    #expect(FileManager.default.createFile(atPath: gate, contents: nil))
    try await file.execute("INSERT INTO t VALUES (1, 'later')")
    try await tool.wait("both runs") { $0.outputText.components(separatedBy: "end 0").count == 3 }
    let rest = withoutTimes(tool.outputText).dropFirst(batch.count)
    #expect(rest.hasPrefix(batch.replacing("end 1", with: "end 0")))
    #expect(rest.dropFirst(batch.count).contains("later"))
  }

  @Test func `--retry repeats a run with growing pauses until it succeeds`() async throws {
    let file = try await TestFile(Self.schema)
    let gate = file.path + ".gate"
    let tool = try RunningTool(
      arguments: [
        "exec", file.path, "t", "--retry", "--count", "1", "--on-change",
        command(failsWithout: gate),
      ]
    )
    try await file.probe(tool, probe)
    try await tool.wait("the second pause") {
      $0.errorText.contains("exit code 1; it runs again in 0.25 seconds\n")
        && $0.errorText.contains("exit code 1; it runs again in 0.5 seconds\n")
    }
    #expect(FileManager.default.createFile(atPath: gate, contents: nil))
    #expect(try await tool.exitCode() == 0)
    let lines = withoutTimes(tool.outputText).split(separator: "\n")
    #expect(lines.count > 2)
    #expect(lines.allSatisfy { $0.contains("probe") })
    #expect(Set(lines).count < lines.count)
  }

  @Test(arguments: [(command: "false", code: 1 as Int32), (command: "true", code: 0)])
  func `after --count runs, the exit code is that of the last one`(
    command: String,
    code: Int32
  ) async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(
      arguments: ["exec", file.path, "t", "--count", "1", "--on-change", "cat; \(command)"]
    )
    try await file.probe(tool, probe)
    #expect(try await tool.exitCode() == code)
    #expect(tool.errorText.split(separator: "\n").count == (code == 0 ? 0 : 1))
  }

  @Test func `two exec do not use one state`() async throws {
    let file = try await TestFile(Self.schema)
    let state = file.path + ".state"
    let arguments = ["exec", file.path, "t", "--state", state, "--on-change", "cat"]
    let first = try RunningTool(arguments: arguments)
    try await first.waitUntilReady()
    let second = try RunningTool(arguments: arguments)
    #expect(try await second.exitCode() == 1)
    #expect(
      second.errorText
        == "wellspring: \(state) is the state of another exec, which still runs\n"
    )
    first.send(SIGKILL)
    _ = try await first.exitCode()
    let third = try RunningTool(arguments: arguments)
    try await third.waitUntilReady()
    third.send(SIGTERM)
    #expect(try await third.exitCode() == 0)
  }

  @Test func `--retry can be ended`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool("exec", file.path, "t", "--retry", "--on-change", "cat; false")
    try await file.probe(tool, probe)
    try await tool.wait("a pause") { $0.errorText.contains("it runs again in 0.5 seconds") }
    tool.send(SIGTERM)
    #expect(try await tool.exitCode() == 0)
  }

  @Test func `--state gives the command what has changed while the tool did not run`()
    async throws
  {
    let file = try await TestFile(
      Self.schema + "; INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')"
    )
    let arguments = [
      "exec", file.path, "t", "--state", file.path + ".state", "--on-change", "cat",
      "--format", "diff",
    ]
    let first = try RunningTool(arguments: arguments)
    try await file.probe(first, probe)
    first.send(SIGTERM)
    #expect(try await first.exitCode() == 0)
    try await file.execute(
      "DELETE FROM t WHERE id = 1; UPDATE t SET x = NULL WHERE id = 2; INSERT INTO t VALUES (9, x'01')"
    )
    let second = try RunningTool(arguments: arguments + ["--count", "1"])
    #expect(try await second.exitCode() == 0)
    // A last commit of the probe may be among them.
    let lines = second.outputText.split(separator: "\n").dropFirst().filter {
      !$0.contains("probe")
    }
    #expect(
      Set(lines) == [
        #"-{"id":1,"x":"a"}"#, #"-{"id":2,"x":"b"}"#, #"+{"id":2,"x":null}"#,
        #"+{"id":9,"x":{"base64":"AQ=="}}"#,
      ]
    )
    // The second run is in the file, too.
    try await file.execute("INSERT INTO t VALUES (10, 'last')")
    let third = try RunningTool(arguments: arguments + ["--count", "1"])
    #expect(try await third.exitCode() == 0)
    #expect(third.outputText.split(separator: "\n").dropFirst() == [#"+{"id":10,"x":"last"}"#])
  }

  @Test(
    arguments: [
      ("", "INSERT INTO t VALUES (1, 2, 'a')", [#"+{"a":1,"b":2,"x":"a"}"#]),
      (
        "INSERT INTO t VALUES (1, 2, 'a'), (3, 4, 'b')",
        """
        ALTER TABLE t ADD COLUMN y DEFAULT 7; DELETE FROM t WHERE a = 1;
        INSERT INTO t VALUES (5, 6, 'c', 8)
        """,
        [
          #"-{"a":1,"b":2,"x":"a","y":null}"#, #"-{"a":3,"b":4,"x":"b","y":null}"#,
          #"+{"a":3,"b":4,"x":"b","y":7}"#, #"+{"a":5,"b":6,"x":"c","y":8}"#,
        ]
      ),
      (
        "INSERT INTO t VALUES (1, 2, 'a')",
        """
        DROP TABLE t; CREATE TABLE t (a, b, x, PRIMARY KEY (a)); INSERT INTO t VALUES (5, 6, 'c')
        """,
        [#"-{"a":1,"b":2,"x":"a"}"#, #"+{"a":5,"b":6,"x":"c"}"#]
      ),
    ] as [(String, String, [String])]
  )
  func `--state keeps tables without rows, and of other columns and keys`(
    rows: String,
    change: String,
    lines: [String]
  ) async throws {
    let file = try await TestFile("CREATE TABLE t (a, b, x, PRIMARY KEY (a, b)); \(rows)")
    let state = file.path + ".state"
    let arguments = [
      "exec", file.path, "t", "--state", state, "--on-change", "cat", "--format", "diff",
    ]
    let first = try RunningTool(arguments: arguments)
    try await first.wait("the state") { _ in
      guard FileManager.default.fileExists(atPath: state) else { return false }
      let count = try? DatabaseQueue(path: state).read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM wellspring_exec")
      }
      return count == 1
    }
    first.send(SIGTERM)
    #expect(try await first.exitCode() == 0)
    try await file.execute(change)
    let second = try RunningTool(arguments: arguments + ["--count", "1"])
    #expect(try await second.exitCode() == 0, "\(second.errorText)")
    let found = second.outputText.split(separator: "\n").dropFirst().map(String.init)
    #expect(Set(found) == Set(lines), "\(found)")
    // And the next run.
    try await file.execute("DELETE FROM t")
    let third = try RunningTool(arguments: arguments + ["--count", "1"])
    #expect(try await third.exitCode() == 0)
    let kept: [String] = lines.filter { $0.hasPrefix("+") }.map { "-" + $0.dropFirst() }
    let last = third.outputText.split(separator: "\n").dropFirst().map(String.init)
    #expect(Set(last) == Set(kept))
  }

  @Test func `only its owner can read a state, which contains rows`() async throws {
    let file = try await TestFile(Self.schema)
    let state = file.path + ".state"
    let tool = try RunningTool("exec", file.path, "t", "--state", state, "--on-change", "cat")
    try await tool.waitUntilReady()
    let attributes = try FileManager.default.attributesOfItem(atPath: state)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `--state needs rows with keys, and a file of its own query`() async throws {
    let file = try await TestFile(Self.schema)
    let state = file.path + ".state"
    try await RunningTool.expectFailure(
      ["exec", file.path, "SELECT x FROM t", "--on-change", "true", "--state", state],
      "--state needs rows with row ids, a primary key or --key"
    )
    // A key with NULL identifies no row.
    try await file.execute(
      "CREATE TABLE k (a, b, c, PRIMARY KEY (a, b)); INSERT INTO k VALUES (1, NULL, 2)"
    )
    try await RunningTool.expectFailure(
      ["exec", file.path, "k", "--on-change", "true", "--state", state],
      "--state needs rows with row ids, a primary key or --key"
    )
    let copy = try await TestFile("CREATE TABLE other (a)")
    try await RunningTool.expectFailure(
      ["exec", file.path, "t", "--on-change", "true", "--state", copy.path],
      "\(copy.path) is not a state of this query, but of something else"
    )
    try await RunningTool.expectFailure(
      ["exec", file.path, "t", "--on-change", "true", "--state", file.path],
      "--state needs a file of its own; see wellspring help exec",
      code: 2
    )
  }

  /// Whether a process runs. A process that has ended can still be listed.
  private func isRunning(_ identifier: pid_t) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8),
      let state = text.split(separator: ")").last?.first(where: { $0 != " " })
    else { return false }
    return state != "Z" && state != "X"
  }

  @Test func `the command ends with the tool, also if it does not want to, or the tool is killed`()
    async throws
  {
    let file = try await TestFile(Self.schema)
    for (trap, signal) in [
      ("", SIGTERM), ("trap '' TERM; ", SIGTERM), ("", SIGKILL), ("trap '' TERM; ", SIGKILL),
    ] {
      let tool = try RunningTool(
        "exec",
        file.path,
        "t",
        "--on-change",
        "\(trap)cat; echo $$; while :; do sleep 1000; done"
      )
      try await file.probe(tool, probe)
      try await tool.wait("the command") {
        $0.outputText.split(separator: "\n").last.flatMap { Int32($0) } != nil
      }
      let identifier = try #require(
        tool.outputText.split(separator: "\n").last.flatMap { Int32($0) }
      )
      tool.send(signal)
      let code = try await tool.exitCode()
      if signal == SIGTERM { #expect(code == 0) }
      try await eventually { !isRunning(identifier) }
      #expect(tool.errorText.isEmpty)
      try await file.execute("DELETE FROM t")
    }
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
