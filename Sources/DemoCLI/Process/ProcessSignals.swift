internal import Dispatch
internal import Glibc

/// The signals that this process hears.
///
/// They are blocked on all threads, so that they interrupt nothing, and are delivered as events to a
/// queue.
final class ProcessSignals {
  /// What a signal stands for.
  enum Event {
    /// The user, or the system, wants the process to end.
    case end
    /// The terminal window has another size.
    case windowSize
    /// The user wants the process to stop until further notice (Ctrl-Z).
    case stop
  }

  private static let events: [Int32: Event] = [
    SIGINT: .end, SIGTERM: .end, SIGHUP: .end, SIGWINCH: .windowSize, SIGTSTP: .stop,
  ]

  private let sources: [any DispatchSourceSignal]

  /// Keeps the signals back until someone listens to them.
  ///
  /// To be called before there is a second thread: threads inherit what they block.
  static func block() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in events.keys { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Starts to listen, also to signals that came before.
  ///
  /// - Parameter handler: Called on a queue of its own, with one event at a time.
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
