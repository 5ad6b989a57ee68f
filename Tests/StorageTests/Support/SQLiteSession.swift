import Foundation

/// The `sqlite3` program, held open: the test decides what it has done when.
///
/// Its pipe is read on a dispatch queue, never on the thread of a test: there are few of those. Nor does
/// it use `waitUntilExit()`, which spins until the process has ended when it is called on another
/// thread than the one that began it.
final class SQLiteSession: Sendable {
  private static let mark = "the end of this step"

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let queue = DispatchQueue(label: "sqlite3")
  private let ended = AsyncStream.makeStream(of: Void.self)

  init(_ path: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = ["-batch", path]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    process.terminationHandler = { [ended] _ in ended.continuation.finish() }
    try process.run()
  }

  deinit {
    process.terminate()
  }

  /// Runs SQL, which ends with its last semicolon, and returns what was printed when it is done. Errors
  /// are printed too.
  @discardableResult
  func run(_ sql: String) async -> String {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.step(sql)) }
    }
  }

  private func step(_ sql: String) -> String {
    input.fileHandleForWriting.write(Data("\(sql);\nSELECT '\(Self.mark)';\n".utf8))
    var text = ""
    while !text.hasSuffix(Self.mark + "\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return text }
      text += String(decoding: data, as: UTF8.self)
    }
    return String(text.dropLast(Self.mark.count + 1))
  }

  /// Ends the program, which closes its connection.
  ///
  /// It is told to: another process that was started meanwhile may hold the pipe open.
  func end() async {
    input.fileHandleForWriting.write(Data("\n.quit\n".utf8))
    for await _ in ended.stream {}
  }
}
