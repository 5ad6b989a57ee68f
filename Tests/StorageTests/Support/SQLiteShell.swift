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
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = ["-batch", "-bail", path, sql]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let output = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    guard process.terminationStatus == 0 else {
      throw Failure(status: process.terminationStatus, output: output)
    }
    return output
  }
}
