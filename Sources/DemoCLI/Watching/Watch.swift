internal import CommandLineSupport
internal import Dispatch
internal import Glibc
internal import Storage

/// Watches queries and shows their values, on a terminal or as a stream.
///
/// The watch ends when the user asks for it, the reader closes the output, or the time is over.
struct Watch {
  let file: WatchedFile
  /// The queries.
  let queries: [WatchedQuery]
  /// The number of seconds after which the watch ends, if any.
  var duration: Double?
  /// How values are written; `nil` to draw them in place on a terminal.
  var stream: StreamOptions?

  /// Runs the watch until it ends.
  ///
  /// - Throws: An error if no first value comes, or the output cannot be written.
  func run() throws {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    if stream == nil, isTerminal, Terminal.canMoveCursor() { return try runOnScreen() }
    let stream = stream ?? StreamOptions()
    let format = stream.format(isTerminal: isTerminal)
    let writers = queries.enumerated().map { index, query in
      format.makeWriter(
        onlyChanges: stream.onlyChanges,
        to: .standardOutput,
        query: queries.count == 1 ? nil : query.title,
        isFirst: index == 0
      )
    }
    let ending = Ending()
    let presenter = Presenter(
      display: StreamDisplay(writers: writers, limit: stream.count),
      ending: ending
    )
    var session = session(presenter, ending)
    session.mustComplete = stream.count != nil
    try session.run { [session] in
      guard let pool = try session.open(file, for: queries, keepsResults: true) else { return nil }
      return [presenter.show(queries, of: file, in: pool)]
    }
  }

  private func runOnScreen() throws {
    let panes = queries.enumerated().map { index, query in
      let titles = ["\(file.path) · \(query.title)", "\(file.name) · \(query.title)", query.title]
      return Pane(query: query, titles: index == 0 ? titles : [query.title])
    }
    let ending = Ending()
    let presenter = ScreenPresenter(screen: Screen(panes: panes), file: file, ending: ending)
    let session = session(presenter, ending)
    try session.run {
      LockWaiting.shared.report(to: { presenter.showWaiting(for: $0) })
      guard let pool = try session.open(file, for: queries) else { return nil }
      presenter.start(pool)
      return []
    }
  }

  private func session(_ presenter: any SessionPresenter, _ ending: Ending) -> Session {
    let deadline = duration.map { DispatchTime.now() + $0 } ?? .distantFuture
    return Session(presenter: presenter, ending: ending, deadline: deadline)
  }
}
