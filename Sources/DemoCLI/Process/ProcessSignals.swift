internal import Dispatch
internal import Glibc

/// The signals that this process handles.
///
/// They are blocked on all threads, so they interrupt no system call, and are delivered as events
/// on a queue.
final class ProcessSignals {
  /// The meaning of a signal.
  enum Event {
    /// The user or the system asks the process to end.
    case end
    /// The terminal window was resized.
    case windowSize
    /// The user asks the process to stop until it is continued (Ctrl-Z).
    case stop
  }

  private static let events: [Int32: Event] = [
    SIGINT: .end, SIGTERM: .end, SIGHUP: .end, SIGWINCH: .windowSize, SIGTSTP: .stop,
  ]

  private let sources: [any DispatchSourceSignal]

  /// Blocks the signals until an instance of this class handles them.
  ///
  /// Call this method before a second thread starts, because threads inherit the blocked signals.
  static func block() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in events.keys { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Starts to handle signals, including signals that were blocked before.
  ///
  /// - Parameter handler: Called on a separate queue, with one event at a time.
  init(_ handler: @escaping @Sendable (Event) -> Void) {
    let queue = DispatchQueue(label: "DemoCLI.signals")
    sources = Self.events.map { signal, event in
      let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
      source.setEventHandler { handler(event) }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
  }
}
