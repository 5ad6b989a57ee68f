import Foundation

/// The `sqlite3` program: a second process that knows nothing of this library.
enum SQLiteShell {
  struct Failure: Error, CustomStringConvertible {
    let status: Int32
    let output: String
    var description: String { "sqlite3 ended with \(status): \(output)" }
  }

  /// Runs SQL on a file and returns what is printed. No time-out is set.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - sql: The statements.
  ///   - options: Of the program, such as `-json`.
  /// - Returns: What is printed, without the empty lines around it.
  /// - Throws: ``Failure`` when the program ends with an error.
  @discardableResult
  static func run(_ path: String, _ sql: String, options: [String] = []) throws -> String {
    let process = try ChildProcess(["sqlite3", "-batch", "-bail"] + options + [path, sql])
    process.endInput()
    let output = process.read().trimmingCharacters(in: .newlines)
    let status = process.wait()
    guard status == 0 else { throw Failure(status: status, output: output) }
    return output
  }
}
