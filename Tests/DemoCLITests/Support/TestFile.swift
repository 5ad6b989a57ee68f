import Foundation
import Testing

/// A database file in a directory of its own, which other processes write to.
final class TestFile {
  let directory: URL
  let path: String

  /// Makes the file with the `sqlite3` shell; without SQL there is only the directory.
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

  /// Makes a second database, and puts it in the place of the file in one step.
  func replace(with sql: String) async throws {
    let other = path + ".new"
    try await Self.execute(sql, at: other)
    try #require(rename(other, path) == 0)
  }

  private static func execute(_ sql: String, at path: String) async throws {
    let shell = try RunningTool(
      executable: "sqlite3",
      arguments: ["-bail", "-cmd", ".timeout 10000", path, sql]
    )
    let code = try await shell.exitCode()
    try #require(code == 0, "sqlite3 failed: \(shell.errorText)")
  }
}
