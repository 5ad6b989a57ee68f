import Foundation

/// A `sqlite3` process that stays: another process, which knows nothing of the library.
///
/// Calls block their thread until the process has answered.
final class SimulatedShell {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var scripts = 0

  init(path: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = ["-batch", path]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    try run(["PRAGMA busy_timeout = 5000", "PRAGMA foreign_keys = ON"])
  }

  /// Runs statements, whether they fail or not.
  func run(_ statements: [String]) throws {
    scripts += 1
    let end = "end of \(scripts)"
    let script = statements.map { $0 + ";\n" }.joined() + ".print '\(end)'\n"
    try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
    var printed = ""
    while !printed.contains(end) {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw SimulationFailure("the sqlite3 process has ended") }
      printed += String(decoding: data, as: UTF8.self)
    }
  }

  /// Ends the process, in the middle of what it does if `abruptly`.
  func end(abruptly: Bool = false) {
    if abruptly { kill(process.processIdentifier, SIGKILL) }
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
