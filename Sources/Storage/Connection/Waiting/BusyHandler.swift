internal import CWellspringSQLite
internal import Dispatch
internal import WellspringSystem

extension Configuration {
  /// How a connection waits for a lock that another connection holds.
  public enum BusyMode: Sendable {
    /// Fails immediately with `SQLITE_BUSY`.
    case immediateError
    /// Retries for the given number of seconds, then fails with `SQLITE_BUSY`.
    case timeout(Double)
    /// Calls a closure with the number of tries so far. The access retries when the closure returns
    /// `true`, and fails with `SQLITE_BUSY` otherwise. The closure runs on the thread of the
    /// access, and decides how long to sleep. The opening of a file calls it too, and counts the
    /// tries of each of its steps.
    case callback(@Sendable (_ numberOfTries: Int) -> Bool)
  }
}

/// Waits for locks as its ``Configuration/BusyMode`` says, until the access is cancelled.
final class BusyHandler {
  private let mode: Configuration.BusyMode
  private let cancellation: Cancellation
  private let instrumentation: Instrumentation?
  /// When the current wait began, in nanoseconds of the monotonic clock.
  private var start: UInt64 = 0

  /// Whether the last try was the last one of its wait.
  var hasGivenUp = false

  // The following are not set without instruments.

  /// When the last pause between two tries ended.
  private var lastTry: UInt64 = 0
  /// Whether a wait has begun whose end is not recorded yet.
  private var hasUnrecordedWait = false

  init(
    mode: Configuration.BusyMode,
    cancellation: Cancellation,
    _ instrumentation: Instrumentation? = nil
  ) {
    self.mode = mode
    self.cancellation = cancellation
    self.instrumentation = instrumentation
  }

  /// Installs the handler on `connection`, which must not outlive the handler.
  func install(on connection: OpaquePointer) {
    if case .immediateError = mode, instrumentation == nil { return }
    sqlite3_busy_handler(
      connection,
      { context, tries in
        let handler = Unmanaged<BusyHandler>.fromOpaque(context!).takeUnretainedValue()
        return handler.shouldRetry(tries: Int(tries)) ? 1 : 0
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  /// Sleeps before the next try, or calls the callback, which decides how long to sleep.
  ///
  /// - Returns: Whether to try again; `false` when the timeout has passed.
  func shouldRetry(tries: Int) -> Bool {
    let isRetried = decide(tries: tries)
    hasGivenUp = !isRetried
    return isRetried
  }

  private func decide(tries: Int) -> Bool {
    guard instrumentation != nil else { return pauses(tries: tries) }
    if tries == 0 {
      waitDidEnd()
      start = DispatchTime.now().uptimeNanoseconds
      hasUnrecordedWait = true
    }
    guard pauses(tries: tries) else {
      waitDidEnd(inTime: false)
      return false
    }
    lastTry = DispatchTime.now().uptimeNanoseconds
    return true
  }

  /// Records a wait that has ended, if it was not recorded yet.
  ///
  /// SQLite does not say when it has got the lock: the end is noticed at the end of the statement.
  func waitDidEnd(inTime: Bool = true) {
    guard hasUnrecordedWait, let instrumentation else { return }
    hasUnrecordedWait = false
    // The statement may have run for long after the wait.
    let end = inTime ? lastTry : DispatchTime.now().uptimeNanoseconds
    let wait = DatabaseActivity.BusyWait(
      duration: Duration(clockNanoseconds: max(end, start) - start),
      hasEndedInTime: inTime
    )
    instrumentation.record(.busy(wait))
  }

  /// Sleeps before the next try, or calls the callback, without recording it.
  ///
  /// - Returns: Whether to try again.
  func pauses(tries: Int) -> Bool {
    if cancellation.isRequested { return false }
    switch mode {
    case .immediateError:
      return false
    case .callback(let callback):
      return callback(tries)
    case .timeout(let seconds):
      let now = DispatchTime.now().uptimeNanoseconds
      if tries == 0 { start = now }
      let waited = Double(now - start) / 1_000_000_000
      guard waited < seconds else { return false }
      CurrentThread.pause(microseconds: Self.delays[min(tries, Self.delays.count - 1)])
      return true
    }
  }

  /// The sleeps in microseconds: short at first, because most locks are held briefly, then longer,
  /// to spare the processor.
  private static let delays: [UInt32] = [
    100, 250, 500, 1000, 2000, 3000, 5000, 8000, 12_000, 20_000, 30_000, 50_000,
  ]
}

extension Database {
  /// The reaction of a connection while another connection holds the database.
  public typealias BusyMode = Configuration.BusyMode

  /// Decides whether a connection tries again, from the number of its attempts.
  public typealias BusyCallback = @Sendable (Int) -> Bool
}

extension Database {
  /// Runs a closure whose statements fail immediately when another connection holds a lock.
  func withoutWaiting<Result>(_ body: () throws -> Result) rethrows -> Result {
    sqlite3_busy_handler(sqliteConnection, nil, nil)
    defer { busyHandler.install(on: sqliteConnection) }
    return try body()
  }
}
