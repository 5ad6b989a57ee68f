internal import CommandLineSupport
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Storage

/// Shows the values and problems of a watch, one at a time.
final class Presenter: SessionPresenter, @unchecked Sendable {
  // Safe to share: all mutable properties are only accessed on `queue`.

  private let queue = DispatchQueue(label: "DemoCLI.presenter")
  private let ending: Ending
  private var display: any Display
  /// Whether a value was shown. An error before the first value ends the watch.
  private var hasValue = false
  private var isFinished = false

  init(display: any Display, ending: Ending) {
    self.display = display
    self.ending = ending
  }

  /// Shows a value, and returns when it is shown.
  ///
  /// Meanwhile the observation merges new values, so a slow terminal gets the newest value next.
  func show(_ value: WatchedValue) {
    queue.sync {
      if !hasValue { ServiceManager.notifyReady() }
      hasValue = true
      perform { try $0.show(value) }
    }
  }

  /// Shows why the watch has no newer value. Before the first value, this ends the watch.
  func fail(_ message: String) {
    queue.sync {
      guard hasValue else { return ending.end(.failed(message)) }
      perform { try $0.show(problem: message) }
    }
  }

  /// Shows the reason for waiting before the first value.
  func showWaiting(for message: String) {
    queue.sync {
      perform { try $0.show(problem: message) }
    }
  }

  /// Fits the display to the window's new size.
  func redraw() {
    queue.async { [self] in
      perform { try $0.redraw() }
    }
  }

  /// Restores the terminal, and stops the whole process until the shell continues it.
  func stop() {
    queue.async { [self] in
      perform { display in
        try display.release()
        // `raise` stops this thread before it can draw again; `kill` may stop another thread first.
        raise(SIGSTOP)
        try display.redraw()
      }
    }
  }

  /// Restores the terminal, and shows nothing from then on.
  ///
  /// This method waits at most one second for a blocked output, so the process can always end.
  func finish() {
    let work = DispatchWorkItem { [self] in
      perform { try $0.release() }
      isFinished = true
    }
    queue.async(execute: work)
    _ = work.wait(timeout: .now() + 1)
  }

  /// Starts an observation whose values are shown.
  ///
  /// The results of several queries are always of one moment.
  func show(
    _ queries: [WatchedQuery],
    of file: WatchedFile,
    in pool: DatabasePool,
    showsReplacement: Bool = false
  ) -> AnyDatabaseCancellable {
    let readers = queries.map { ResultReader($0) }
    return ValueObservation.tracking { db in
      FetchedResults(
        results: try readers.map { try $0.fetch(db) },
        file: showsReplacement ? file.identity : nil
      )
    }
    .numbered().start(
      in: pool,
      onError: { [self] in fail(file.message(for: $0)) },
      onChange: { [self] in show(WatchedValue(number: $0.number, results: $0.value.results)) }
    )
  }

  private struct FetchedResults: Equatable {
    let results: [WatchedResult]
    /// The file, if it counts.
    let file: WatchedFile.Identity?
  }

  /// Runs a session that shows the values of one query, until it ends.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - file: The file.
  ///   - awaited: The condition to wait for instead of the query.
  ///   - showsReplacement: Whether another file with an equal result is a new value.
  ///   - mustComplete: See ``Session/mustComplete``.
  ///   - makeDisplay: Makes the display when the file is open.
  /// - Throws: An error if no first value comes, or the output cannot be written.
  static func run(
    _ query: WatchedQuery,
    of file: WatchedFile,
    awaiting awaited: WatchedQuery? = nil,
    showsReplacement: Bool = false,
    mustComplete: Bool,
    makeDisplay: (DatabasePool) throws -> any Display
  ) throws {
    let ending = Ending()
    let presenter = Presenter(display: StreamDisplay(writers: []), ending: ending)
    let session = Session(presenter: presenter, ending: ending, mustComplete: mustComplete)
    try session.run {
      guard let pool = try session.open(file, for: [awaited ?? query], keepsResults: true) else {
        return nil
      }
      let display = try makeDisplay(pool)
      presenter.queue.sync { presenter.display = display }
      return [
        presenter.show([query], of: file, in: pool, showsReplacement: showsReplacement)
      ]
    }
  }

  private func perform(_ action: (inout any Display) throws -> Void) {
    guard !isFinished, !display.isComplete else { return }
    do {
      try action(&display)
      if display.isComplete { ending.end(display.hasFailed ? .reportedFailure : .requested) }
    } catch Output.Failure.closed {
      ending.end(.requested)
    } catch {
      ending.end(.failed(ErrorMessage.text(for: error)))
    }
  }
}
