import Foundation
import Glibc
import Testing

/// `load`, through a pipe and on a terminal.
@Suite struct LoadCommandTests {
  @Test func `the report has the rate, the percentiles and the histograms`() async throws {
    let file = try await TestFile()
    let tool = try RunningTool(
      "load",
      file.path,
      "--seconds",
      "0.5",
      "--writers",
      "2",
      "--rate",
      "100"
    )
    #expect(try await tool.exitCode() == 0)
    #expect(tool.errorText.isEmpty)
    let lines = tool.outputText.split(separator: "\n", omittingEmptySubsequences: false)
    let heading = try Regex(#"(\d+) commits of 2 writers in \d\.\d s: \d+ a second, 1 watcher"#)
    let match = try #require(String(lines[0]).wholeMatch(of: heading))
    let count = try #require(Int(match[1].substring ?? ""))
    // The rate bounds the commits from above; a slow machine may commit fewer.
    #expect(1...50 ~= count)
    #expect(lines[2].split(separator: " ") == ["p50", "p90", "p99", "p99.9", "max"])
    #expect(lines[3].hasPrefix("commit  "))
    #expect(lines[4].hasPrefix("value  "))
    #expect(lines.contains("Time of a commit"))
    let bars = tool.outputText.components(separatedBy: "Time until")[0]
      .matches(of: /(?m)^  < .*?(\d+)$/).compactMap { Int($0.1) }
    #expect(bars.reduce(0, +) == count)
  }

  @Test func `on a terminal a progress bar is drawn, and removed before the report`() async throws {
    let file = try await TestFile()
    let tool = try RunningTool(
      executable: "sh",
      arguments: [
        "-c", "exec \"$0\" \"$@\" 2>&1", RunningTool.toolPath, "load", file.path, "--seconds", "1",
        "--rate", "50",
      ],
      output: .terminal(columns: 90, rows: 60)
    )
    let bar = /\r\[#+\.+\] \d+ %  \d+ commits\u{1B}\[K/
    try await tool.wait("the bar") { $0.outputText.firstMatch(of: bar) != nil }
    #expect(try await tool.exitCode() == 0)
    let picture = Picture(of: tool.outputText, columns: 90, rows: 60).text
    #expect(picture.first?.contains("commits of 1 writer in") == true)
    #expect(!picture.contains { $0.contains("[#") })
  }

  @Test(arguments: ["wal", "delete", "truncate"])
  func `the journal mode of the file stays`(mode: String) async throws {
    let file = try await TestFile("PRAGMA journal_mode = \(mode); CREATE TABLE t (a)")
    let isWAL = mode == "wal"
    let tool = try RunningTool("load", file.path, "--seconds", "0.1")
    #expect(try await tool.exitCode() == 0, "\(tool.errorText)")
    let read = try RunningTool(
      executable: "sqlite3",
      arguments: [file.path, "PRAGMA journal_mode; SELECT group_concat(name) FROM sqlite_schema"]
    )
    #expect(try await read.exitCode() == 0)
    // The file does not say which rollback journal its other users have.
    #expect(read.outputText == (isWAL ? "wal\nt\n" : "delete\nt\n"))
  }

  @Test func `the table of a load that was killed is replaced`() async throws {
    let file = try await TestFile(
      "CREATE TABLE wellspring_load (id INTEGER PRIMARY KEY, writer INTEGER, value REAL)"
    )
    let tool = try RunningTool("load", file.path, "--seconds", "0.1")
    #expect(try await tool.exitCode() == 0, "\(tool.errorText)")
  }

  @Test func `a table of the user with the name of the load's table is kept`() async throws {
    let file = try await TestFile(
      "CREATE TABLE Wellspring_Load (a); INSERT INTO Wellspring_Load VALUES (1)"
    )
    let tool = try RunningTool("load", file.path, "--seconds", "0.1")
    #expect(try await tool.exitCode() == 1)
    #expect(
      tool.errorText == """
        wellspring: \(file.path) has a wellspring_load of its own: load writes to a table of this \
        name

        """
    )
    let read = try RunningTool(
      executable: "sqlite3",
      arguments: [file.path, "PRAGMA journal_mode; SELECT count(*) FROM Wellspring_Load"]
    )
    #expect(try await read.exitCode() == 0)
    #expect(read.outputText == "delete\n1\n")
  }

  @Test func `the table of the load is dropped, and other tables are kept`() async throws {
    let file = try await TestFile("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let tool = try RunningTool("load", file.path, "--seconds", "0.1", "--watchers", "0")
    #expect(try await tool.exitCode() == 0)
    #expect(!tool.outputText.contains("value"))
    let query = try RunningTool(
      "query",
      file.path,
      "--sql",
      "SELECT name FROM sqlite_schema"
    )
    #expect(try await query.exitCode() == 0)
    #expect(query.outputText == "{\"name\":\"t\"}\n")
  }

  @Test func `Ctrl-C ends the load with the report so far`() async throws {
    let file = try await TestFile()
    let tool = try RunningTool("load", file.path, "--seconds", "600", "--rate", "20")
    try await tool.wait("the table") { _ in
      FileManager.default.fileExists(atPath: file.path + "-wal")
    }
    tool.send(SIGINT)
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText.contains("commits of 1 writer in"))
  }
}
