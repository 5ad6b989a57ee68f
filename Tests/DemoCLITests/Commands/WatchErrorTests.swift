import Foundation
import Glibc
import Testing

/// What `DemoCLI` says about what it cannot do.
@Suite struct WatchErrorTests {
  /// Runs the tool to its end, and expects one line on standard error and nothing else.
  private func expectFailure(
    _ arguments: [String],
    _ message: String,
    code: Int32 = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let tool = try RunningTool(arguments: arguments)
    #expect(try await tool.exitCode() == code, sourceLocation: sourceLocation)
    #expect(tool.errorText == "DemoCLI: \(message)\n", sourceLocation: sourceLocation)
    #expect(tool.outputText.isEmpty, sourceLocation: sourceLocation)
  }

  @Test("Without arguments, the usage is an error")
  func noArguments() async throws {
    let tool = try RunningTool()
    #expect(try await tool.exitCode() == 2)
    #expect(tool.errorText.contains("Usage:"))
    #expect(tool.outputText.isEmpty)
  }

  @Test(
    "Help is no error",
    arguments: [
      ["help"], ["--help"], ["-h"], ["watch", "--help"], ["demo", "--seconds", "1", "-h"],
    ]
  )
  func help(arguments: [String]) async throws {
    let tool = try RunningTool(arguments: arguments)
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText.contains("DemoCLI watch FILE TABLE"))
    #expect(tool.errorText.isEmpty)
  }

  @Test(
    "Wrong arguments have exit code 2",
    arguments: [
      (["look"], "unknown command look"), (["--look"], "unknown option --look"),
      (["watch"], "watch needs a FILE"), (["watch", "f"], "watch needs a TABLE or --sql"),
      (["watch", "f", "t", "--sql", "s"], "watch takes a TABLE or --sql, not both"),
      (["watch", "f", "--sql"], "--sql needs a value"),
      (["demo", "--seconds", "x"], "--seconds needs a positive number, not x"),
      (["look\u{1B}[2J\nnow"], #"unknown command look\u{1B}[2J\nnow"#),
    ]
  )
  func usage(arguments: [String], message: String) async throws {
    try await expectFailure(arguments, "\(message); see DemoCLI --help", code: 2)
  }

  @Test("A missing file")
  func missingFile() async throws {
    let file = try await TestFile()
    try await expectFailure(["watch", file.path, "t"], "no such file: \(file.path)")
  }

  @Test("A directory in place of a file")
  func directory() async throws {
    let file = try await TestFile()
    let path = file.directory.path
    try await expectFailure(["watch", path, "t"], "\(path) is a directory")
  }

  @Test("A file that may not be read", .enabled(if: geteuid() != 0, "root may read everything"))
  func unreadable() async throws {
    let file = try await TestFile("CREATE TABLE t (a)")
    try #require(chmod(file.path, 0) == 0)
    try await expectFailure(["watch", file.path, "t"], "no permission to read \(file.path)")
  }

  @Test("A file that is no database")
  func noDatabase() async throws {
    let file = try await TestFile()
    try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: file.path))
    try await expectFailure(["watch", file.path, "t"], "\(file.path) is not a SQLite database")
  }

  @Test("A missing table, with the tables there are")
  func missingTable() async throws {
    let file = try await TestFile("CREATE TABLE b (x); CREATE TABLE a (x)")
    try await expectFailure(
      ["watch", file.path, "c"],
      "\(file.path): no such table: c (there are a, b)"
    )
  }

  @Test("An empty file has no tables")
  func emptyFile() async throws {
    let file = try await TestFile()
    try Data().write(to: URL(fileURLWithPath: file.path))
    try await expectFailure(
      ["watch", file.path, "c"],
      "\(file.path): no such table: c (there are none)"
    )
  }

  @Test("SQL that does not compile")
  func syntaxError() async throws {
    let file = try await TestFile("CREATE TABLE t (a)")
    try await expectFailure(
      ["watch", file.path, "--sql", "SELECT * FORM t"],
      "\(file.path): near \"FORM\": syntax error"
    )
    try await expectFailure(
      ["watch", file.path, "--sql", "SELECT x FROM t"],
      "\(file.path): no such column: x"
    )
  }

  @Test("A standard output that was closed before the start")
  func closedOutput() async throws {
    let file = try await TestFile("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let before = try Data(contentsOf: URL(fileURLWithPath: file.path))
    let tool = try RunningTool("watch", file.path, "t", output: .closed)
    #expect(try await tool.exitCode() == 1)
    #expect(tool.errorText == "DemoCLI: cannot write the output: Bad file descriptor\n")
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == before)
  }

  @Test("SQL that writes changes nothing")
  func writes() async throws {
    let file = try await TestFile("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    try await expectFailure(
      ["watch", file.path, "--sql", "DELETE FROM t"],
      "\(file.path): the statement writes: only one that reads can be watched"
    )
    let tool = try RunningTool("watch", file.path, "t")
    #expect(try await tool.nextLine().hasSuffix("[[1]]}"))
  }
}
