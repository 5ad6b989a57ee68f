import Foundation
import Testing

/// A database file in its own directory. Other processes write to it.
final class TestFile {
  let directory: URL
  let path: String

  /// Creates the file with the `sqlite3` shell. Without SQL, only the directory is created.
  init(_ sql: String? = nil) async throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("democli-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    path = directory.appendingPathComponent("test.sqlite").path
    if let sql { try await execute(sql) }
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  /// Runs SQL in another process.
  func execute(_ sql: String) async throws {
    try await Self.execute(sql, at: path)
  }

  /// Commits when the tool has read its first value, and waits until it writes something about
  /// the commit.
  ///
  /// - Parameters:
  ///   - tool: A tool that writes about each commit a text with `probe` and its number.
  ///   - sql: Returns the SQL of a commit from its number.
  /// - Throws: ``Impatience`` when the tool writes nothing.
  func probe(_ tool: RunningTool, _ sql: (Int) -> String) async throws {
    try await tool.waitUntilReady()
    try await execute(sql(1000))
    try await tool.wait("a change") { $0.outputText.contains("probe 1000") }
  }

  /// Creates a second database, and atomically replaces the file with it.
  func replace(with sql: String) async throws {
    let other = path + ".new"
    try await Self.execute(sql, at: other)
    try #require(rename(other, path) == 0)
  }

  private static func execute(_ sql: String, at path: String) async throws {
    let shell = try RunningTool(
      executable: "sqlite3",
      arguments: [
        "-bail", "-cmd", ".timeout 10000", "-cmd", ".dbconfig defensive off", path, sql,
      ]
    )
    let code = try await shell.exitCode()
    try #require(code == 0, "sqlite3 failed: \(shell.errorText)")
  }
}
