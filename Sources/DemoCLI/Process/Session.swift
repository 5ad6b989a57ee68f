internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Storage

/// A command that shows values until the user asks it to end, the reader closes the output, or the
/// time is over.
struct Session {
  let presenter: any SessionPresenter
  let ending: Ending
  var deadline: DispatchTime = .distantFuture

  /// Opens a file when it exists and has some tables, if that is waited for.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - queries: The queries whose tables may be waited for.
  ///   - keepsResults: See ``WatchedFile/keepsResults``.
  /// - Returns: The open file; `nil` when the session has ended.
  /// - Throws: ``ToolError`` when the file cannot be opened.
  func open(
    _ file: WatchedFile,
    for queries: [WatchedQuery],
    keepsResults: Bool = false
  ) throws -> DatabasePool? {
    var file = file
    file.keepsResults = keepsResults
    return try file.open(for: queries, report: presenter.showWaiting) {
      let reason = ending.wait(until: min(deadline, .now() + .milliseconds(100)))
      if case .failed(let message) = reason { throw ToolError(message) }
      return reason == nil && DispatchTime.now() < deadline
    }
  }

  /// Runs the session.
  ///
  /// - Parameter start: Starts the observations, which end with the session. `nil` if the session
  ///   ends at once.
  /// - Throws: The error of `start`, or a ``ToolError`` for what ended the session.
  func run(_ start: () throws -> [AnyDatabaseCancellable]?) throws {
    let signals = ProcessSignals { [presenter, ending] event in
      switch event {
      case .end: ending.end(.requested)
      case .windowSize: presenter.redraw()
      case .stop: presenter.stop()
      }
    }
    // Notice a closed pipe even while nothing is written to it.
    BlockingThread.start { [ending] in
      Output.standardOutput.waitUntilClosed()
      ending.end(.requested)
    }
    defer { presenter.finish() }
    try withExtendedLifetime(signals) {
      let started: [AnyDatabaseCancellable]?
      do {
        started = try start()
      } catch {
        // What was waited for was not there yet when the session was ended.
        if ending.wait(until: .now()) == .requested { return }
        throw error
      }
      guard let observations = started else { return }
      defer { for observation in observations { observation.cancel() } }
      if case .failed(let message) = ending.wait(until: deadline) { throw ToolError(message) }
    }
  }
}
