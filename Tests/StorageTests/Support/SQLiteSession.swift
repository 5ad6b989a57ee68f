import Foundation
import TestSupport

/// A running `sqlite3` program, so that a test controls when each statement runs.
///
/// The async functions read its output on a dispatch queue, because blocking calls would use up the
/// few threads of the tests.
final class SQLiteSession: Sendable {
  private static let mark = "the end of this step\n"

  private let process: ChildProcess
  private let queue = DispatchQueue(label: "sqlite3")

  init(_ path: String) throws {
    process = try ChildProcess(["sqlite3", "-batch", path])
  }

  /// Runs SQL, and returns the output, including error messages. A semicolon is added at the end.
  @discardableResult
  func run(_ sql: String) async -> String {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.runAndWait(sql)) }
    }
  }

  /// Does the same as ``run(_:)``, and blocks the current thread.
  @discardableResult
  func runAndWait(_ sql: String) -> String {
    process.write("\(sql);\n.print '\(Self.mark.dropLast())'\n")
    return process.read(until: Self.mark)
  }

  /// Ends the program, which then closes its connection.
  func end() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.endAndWait()
        continuation.resume()
      }
    }
  }

  /// Does the same as ``end()``, and blocks the current thread.
  func endAndWait() {
    process.endInput()
    process.wait()
  }

  /// Kills the program, so that its connection is not closed properly.
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
