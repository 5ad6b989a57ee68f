internal import Dispatch

/// Lets one connection of the process at a time checkpoint a file.
///
/// Before SQLite 3.51.3, two connections that checkpoint at once can corrupt the file.
/// https://www.sqlite.org/wal.html#walresetbug
final class CheckpointTurn: Sendable {
  private let semaphore = DispatchSemaphore(value: 1)

  /// Runs `body` when it is the caller's turn.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    semaphore.wait()
    defer { semaphore.signal() }
    return try body()
  }

  /// Runs `body` unless another connection has its turn.
  func runIfFree<Result>(_ body: () throws -> Result) rethrows -> Result? {
    guard semaphore.wait(timeout: .now()) == .success else { return nil }
    defer { semaphore.signal() }
    return try body()
  }
}
