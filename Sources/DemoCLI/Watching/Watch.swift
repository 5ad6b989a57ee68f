internal import Dispatch
internal import Foundation
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
  let duration: Double?

  /// Runs the watch until it ends.
  ///
  /// - Throws: An error if there is no first value, or the output cannot be written.
  func run() throws {
    let deadline = duration.map { DispatchTime.now() + $0 } ?? .distantFuture
    let ending = Ending()
    let presenter = Presenter(display: makeDisplay(), ending: ending)
    let signals = ProcessSignals { event in
      switch event {
      case .end: ending.end(.requested)
      case .windowSize: presenter.redraw()
      case .stop: presenter.stop()
      }
    }
    // Notice a closed pipe even while nothing is written to it.
    Thread.detachNewThread {
      Output.standardOutput.waitUntilClosed()
      ending.end(.requested)
    }
    defer { presenter.finish() }
    try withExtendedLifetime(signals) {
      try observe(presenter: presenter, ending: ending, until: deadline)
    }
  }

  private func observe(
    presenter: Presenter,
    ending: Ending,
    until deadline: DispatchTime
  ) throws {
    guard try waitForFile(presenter: presenter, ending: ending, until: deadline) else { return }
    let pool = try file.open()
    let observation = ValueObservation.tracking(query.fetch).numbered().start(
      in: pool,
      onError: { presenter.fail(file.message(for: $0)) },
      onChange: { presenter.show(WatchedValue(number: $0.number, result: $0.value)) }
    )
    defer { observation.cancel() }
    if case .failed(let message) = ending.wait(until: deadline) { throw ToolError(message) }
  }

  /// Waits for a missing file, if requested.
  ///
  /// - Returns: Whether the watch continues.
  private func waitForFile(
    presenter: Presenter,
    ending: Ending,
    until deadline: DispatchTime
  ) throws -> Bool {
    guard file.isMissing else { return true }
    guard waitsForFile else { throw ToolError(file.missingMessage) }
    presenter.showWaiting(for: "waiting for \(file.path)")
    while file.isMissing {
      let reason = ending.wait(until: min(deadline, .now() + .milliseconds(100)))
      if case .failed(let message) = reason { throw ToolError(message) }
      if reason != nil || DispatchTime.now() >= deadline { return false }
    }
    return true
  }

  private func makeDisplay() -> any Display {
    guard isatty(STDOUT_FILENO) == 1 else { return JSONDisplay() }
    return TerminalDisplay(titles: [
      "\(file.path) · \(query.title)", "\(file.name) · \(query.title)", query.title,
    ])
  }
}
