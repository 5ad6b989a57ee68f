import Foundation

/// The `sqlite3` program, held open: the test decides what it has done when.
///
/// Its output is read on a dispatch queue, never on the thread of a test: there are few of those.
final class SQLiteSession: Sendable {
  private static let mark = "the end of this step\n"

  private let process: ChildProcess
  private let queue = DispatchQueue(label: "sqlite3")

  init(_ path: String) throws {
    process = try ChildProcess(["sqlite3", "-batch", path])
  }

  /// Runs SQL, which ends with its last semicolon, and returns what was printed when it is done. Errors
  /// are printed too.
  @discardableResult
  func run(_ sql: String) async -> String {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.runAndWait(sql)) }
    }
  }

  /// The same, on the current thread.
  @discardableResult
  func runAndWait(_ sql: String) -> String {
    process.write("\(sql);\n.print '\(Self.mark.dropLast())'\n")
    return process.read(until: Self.mark)
  }

  /// Ends the program, which closes its connection.
  func end() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.endAndWait()
        continuation.resume()
      }
    }
  }

  /// The same, on the current thread.
  func endAndWait() {
    process.endInput()
    process.wait()
  }

  /// Kills the program.
  func kill() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.process.kill(SIGKILL)
        self.process.wait()
        continuation.resume()
      }
    }
  }
}
