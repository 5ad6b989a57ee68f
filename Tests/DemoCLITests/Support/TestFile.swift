import Foundation
import Testing

/// A database file in its own directory, to which other processes write.
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

  /// Creates a second database, and atomically replaces the file with it.
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
