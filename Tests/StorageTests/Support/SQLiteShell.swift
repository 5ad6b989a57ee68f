import Foundation
import TestSupport

/// The `sqlite3` program: a separate process, independent of this library.
enum SQLiteShell {
  struct Failure: Error, CustomStringConvertible {
    let status: Int32
    let output: String
    var description: String { "sqlite3 ended with \(status): \(output)" }
  }

  /// Runs SQL on a file and returns the output. It sets no busy timeout.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - sql: The statements.
  ///   - options: Options of the program, such as `-json`.
  /// - Returns: The output, without empty lines around it.
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
