internal import Dispatch
internal import Glibc
internal import Storage

/// Watches a query and shows its values.
///
/// The watch ends when the user asks for it, the reader closes the output, or the time is over.
struct Watch {
  let file: WatchedFile
  let query: WatchedQuery
  /// Whether to wait for a file that does not exist at the start.
  let waitsForFile: Bool
  /// The number of seconds after which the watch ends, if any.
  var duration: Double?
  /// How values are written; `nil` to draw them in place on a terminal.
  var stream: StreamOptions?

  /// Runs the watch until it ends.
  ///
  /// - Throws: An error if there is no first value, or the output cannot be written.
  func run() throws {
    let session = Session(
      display: makeDisplay(),
      deadline: duration.map { DispatchTime.now() + $0 } ?? .distantFuture
    )
    try session.run {
      guard try waitForFile(session) else { return nil }
      return [session.show(query, of: file, in: try file.open())]
    }
  }

  /// Waits for a missing file, if requested.
  ///
  /// - Returns: Whether the watch continues.
  private func waitForFile(_ session: Session) throws -> Bool {
    guard file.isMissing else { return true }
    guard waitsForFile else { throw ToolError(file.missingMessage) }
    session.presenter.showWaiting(for: "waiting for \(file.path)")
    while file.isMissing {
      let reason = session.ending.wait(until: min(session.deadline, .now() + .milliseconds(100)))
      if case .failed(let message) = reason { throw ToolError(message) }
      if reason != nil || DispatchTime.now() >= session.deadline { return false }
    }
    return true
  }

  private func makeDisplay() -> any Display {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    if let stream = stream ?? (isTerminal && Terminal.canMoveCursor() ? nil : StreamOptions()) {
      let writer = stream.format(isTerminal: isTerminal)
        .makeWriter(onlyChanges: stream.onlyChanges, to: .standardOutput)
      return StreamDisplay(writer: writer, limit: stream.count)
    }
    return TerminalDisplay(titles: [
      "\(file.path) · \(query.title)", "\(file.name) · \(query.title)", query.title,
    ])
  }
}
