import Foundation

/// The `sqlite3` program: a second process that knows nothing of this library.
enum SQLiteShell {
  struct Failure: Error, CustomStringConvertible {
    let status: Int32
    let output: String
    var description: String { "sqlite3 ended with \(status): \(output)" }
  }

  /// Runs SQL on a file and returns what is printed. No time-out is set.
  @discardableResult
  static func run(_ path: String, _ sql: String) throws -> String {
    let process = try ChildProcess(["sqlite3", "-batch", "-bail", path, sql])
    process.endInput()
    let output = process.read().trimmingCharacters(in: .newlines)
    let status = process.wait()
    guard status == 0 else { throw Failure(status: status, output: output) }
    return output
  }
}
