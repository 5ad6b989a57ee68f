internal import CommandLineSupport
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
  /// Whether the command has failed if a signal ends it before it is complete.
  var mustComplete = false

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
  /// - Throws: The error of `start`; a ``ToolError`` or a ``SilentFailure`` for the cause that
  ///   ended the session.
  func run(_ start: () throws -> [AnyDatabaseCancellable]?) throws {
    let signals = ProcessSignals { [presenter, ending] event in
      switch event {
      case .end: ending.end(.interrupted)
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
        // The awaited file or table was not there yet when the session was ended.
        if ending.isRequested { return try checkCompletion() }
        throw error
      }
      guard let observations = started else { return try checkCompletion() }
      defer { for observation in observations { observation.cancel() } }
      switch ending.wait(until: deadline) {
      case .failed(let message): throw ToolError(message)
      case .reportedFailure: throw SilentFailure(exitCode: .failure)
      case .requested, .interrupted, nil: try checkCompletion()
      }
    }
  }

  private func checkCompletion() throws {
    guard mustComplete, ending.wait(until: .now()) == .interrupted else { return }
    throw SilentFailure(exitCode: .interrupted)
  }
}
