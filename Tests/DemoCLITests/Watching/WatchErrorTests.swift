import Foundation
import Glibc
import Testing

/// The errors of `watch`, in a separate process.
@Suite struct WatchErrorTests {
  @Test func `a missing file`() async throws {
    let file = try await TestFile()
    try await RunningTool.expectFailure(["watch", file.path, "t"], "no such file: \(file.path)")
  }

  @Test func `a directory instead of a file`() async throws {
    let file = try await TestFile()
    let path = file.directory.path
    try await RunningTool.expectFailure(["watch", path, "t"], "\(path) is a directory")
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `a file without read permission`() async throws {
    let file = try await TestFile("CREATE TABLE t (a)")
    try #require(chmod(file.path, 0) == 0)
    try await RunningTool.expectFailure(
      ["watch", file.path, "t"],
      "no permission to read \(file.path)"
    )
  }

  @Test func `a file that is not a database`() async throws {
    let file = try await TestFile()
    try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: file.path))
    try await RunningTool.expectFailure(
      ["watch", file.path, "t"],
      "\(file.path) is not a SQLite database"
    )
  }

  @Test func `the error for a missing table lists the existing tables`() async throws {
    let file = try await TestFile("CREATE TABLE b (x); CREATE TABLE a (x)")
    try await RunningTool.expectFailure(
      ["watch", file.path, "c"],
      "\(file.path): no such table: c (there are a, b)"
    )
  }

  @Test func `an empty file has no tables`() async throws {
    let file = try await TestFile()
    try Data().write(to: URL(fileURLWithPath: file.path))
    try await RunningTool.expectFailure(
      ["watch", file.path, "c"],
      "\(file.path): no such table: c (there are none)"
    )
  }

  @Test func `SQL that does not compile`() async throws {
    let file = try await TestFile("CREATE TABLE t (a)")
    try await RunningTool.expectFailure(
      ["watch", file.path, "--sql", "SELECT * FORM t"],
      "\(file.path): near \"FORM\": syntax error"
    )
    try await RunningTool.expectFailure(
      ["watch", file.path, "--sql", "SELECT x FROM t"],
      "\(file.path): no such column: x"
    )
  }

  @Test func `a standard output that was closed before the start`() async throws {
    let file = try await TestFile("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let before = try Data(contentsOf: URL(fileURLWithPath: file.path))
    let tool = try RunningTool("watch", file.path, "t", output: .closed)
    #expect(try await tool.exitCode() == 1)
    #expect(tool.errorText == "wellspring: cannot write the output: Bad file descriptor\n")
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == before)
  }

  @Test func `SQL that writes changes nothing`() async throws {
    let file = try await TestFile("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    try await RunningTool.expectFailure(
      ["watch", file.path, "--sql", "DELETE FROM t"],
      "\(file.path): the statement writes: only a statement that reads is allowed"
    )
    let tool = try RunningTool("watch", file.path, "t")
    #expect(try await tool.nextLine().hasSuffix(#"[{"a":1}]}"#))
  }
}
