internal import CWellspringSQLite
internal import Dispatch
internal import WellspringPlatform

/// Waits for locks as its ``Configuration/BusyMode`` says, until the access is cancelled.
final class BusyHandler {
  private let mode: Configuration.BusyMode
  private let cancellation: Cancellation
  /// When the current wait began, in nanoseconds of the monotonic clock.
  private var start: UInt64 = 0

  init(mode: Configuration.BusyMode, cancellation: Cancellation) {
    self.mode = mode
    self.cancellation = cancellation
  }

  /// Installs the handler on `connection`, which must not outlive the handler.
  func install(on connection: OpaquePointer) {
    if case .immediateError = mode { return }
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
