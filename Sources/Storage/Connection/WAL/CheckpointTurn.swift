internal import Dispatch

/// Lets only one connection of the process at a time checkpoint a file.
///
/// Before SQLite 3.51.3, two connections that checkpoint concurrently can corrupt the file.
/// https://www.sqlite.org/wal.html#walresetbug
final class CheckpointTurn: Sendable {
  private let semaphore = DispatchSemaphore(value: 1)

  /// Waits until no other connection checkpoints, then runs `body`.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    semaphore.wait()
    defer { semaphore.signal() }
    return try body()
  }

  /// Runs `body`, or returns `nil` when another connection is checkpointing.
  func runIfFree<Result>(_ body: () throws -> Result) rethrows -> Result? {
    guard semaphore.wait(timeout: .now()) == .success else { return nil }
    defer { semaphore.signal() }
    return try body()
  }
}
