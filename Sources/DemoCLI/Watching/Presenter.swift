internal import Dispatch
internal import Foundation
internal import Glibc

/// Something that shows the values of a watch, to people or to programs.
protocol Display {
  /// Shows a value, in place of the one before and of a problem.
  mutating func show(_ value: WatchedValue) throws

  /// Shows that there is no newer value for now, and why.
  mutating func show(problem: String) throws

  /// Shows what was shown last in a window that has another size, or other contents, by now.
  mutating func redraw() throws

  /// Leaves the place of the display as it shall be for others.
  mutating func release() throws
}

/// Shows what a watch tells, one thing at a time.
final class Presenter: @unchecked Sendable {
  // Safe to share: all mutable properties are touched on `queue` only.

  private let queue = DispatchQueue(label: "DemoCLI.presenter")
  private let ending: Ending
  private var display: any Display
  /// Whether there has been a value: errors before it end the watch.
  private var hasValue = false
  private var isFinished = false

  init(display: any Display, ending: Ending) {
    self.display = display
    self.ending = ending
  }

  /// Shows a value, and returns when that is done: as long as it takes, the observation merges new
  /// values, so that a slow terminal gets the newest one next.
  func show(_ value: WatchedValue) {
    queue.sync {
      hasValue = true
      perform { try $0.show(value) }
    }
  }

  /// Shows why the watch has no newer value. Before the first value, that ends the watch.
  func fail(_ message: String) {
    queue.sync {
      guard hasValue else { return ending.end(.failed(message)) }
      perform { try $0.show(problem: message) }
    }
  }

  /// Shows what the watch waits for before its first value.
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

  /// Stops the whole process until the shell lets it go on, and hands over the terminal meanwhile.
  func stop() {
    queue.async { [self] in
      perform { display in
        try display.release()
        // Stops this thread, too, before it can draw again; `kill` may stop another one first.
        raise(SIGSTOP)
        try display.redraw()
      }
    }
  }

  /// Shows nothing any more, and leaves the terminal in order.
  ///
  /// It waits a second at most for an output that takes nothing, so that the process can always end.
  func finish() {
    let work = DispatchWorkItem { [self] in
      perform { try $0.release() }
      isFinished = true
    }
    queue.async(execute: work)
    _ = work.wait(timeout: .now() + 1)
  }

  private func perform(_ action: (inout any Display) throws -> Void) {
    guard !isFinished else { return }
    do {
      try action(&display)
    } catch Output.Failure.closed {
      ending.end(.asked)
    } catch {
      ending.end(.failed(ErrorMessage.text(for: error)))
    }
  }
}
