internal import Dispatch
internal import Foundation
internal import Glibc
internal import Storage

/// Draws the panes of a watch on a terminal, and handles keys.
///
/// The database is observed until its next change. Then the observation ends until the next frame
/// is due, so that fast writers cost a few frames in a second, not a fetch for each commit.
final class ScreenPresenter: SessionPresenter, @unchecked Sendable {
  // Safe to share: all mutable properties are only accessed on `queue`.

  let queue = DispatchQueue(label: "DemoCLI.screen")
  let search: ChangeSearch
  let ending: Ending
  let file: WatchedFile
  var screen: Screen
  private var terminal = Terminal()
  var pool: DatabasePool?
  var observation: AnyDatabaseCancellable?
  /// The number of the running observation. Events of earlier ones are ignored.
  private var generation = 0
  /// Whether the running observation has delivered its first value.
  private var hasFirstValue = false
  private var isFrameDue = false
  var nextFrame = DispatchTime.now()
  var isDrawn = false
  var isFinished = false

  /// The shortest time between two frames.
  private static let shortestInterval = 0.06
  /// The part of the time that fetching and drawing may take. Counting rows has a share of its own.
  private static let share = 0.08

  init(screen: Screen, file: WatchedFile, ending: Ending) {
    self.screen = screen
    self.file = file
    self.ending = ending
    search = ChangeSearch(queries: screen.panes.map(\.query))
  }

  /// Starts to show a database.
  func start(_ pool: DatabasePool) {
    queue.async { [self] in
      self.pool = pool
      observe()
    }
    Keyboard.start { [self] keys in
      queue.async { [self] in keys.forEach(handle) }
    }
  }

  func showWaiting(for message: String) {
    queue.async { [self] in
      screen.problem = "\(ClockTime.now()) \(message)"
      draw()
    }
  }

  func redraw() {
    queue.async { [self] in
      guard !isFinished, isDrawn else { return }
      // A taller window may show more rows of a large table.
      fetch(isSameView: false) { $0.contents?.isWhole == false }
      attempt { try terminal.clearAndDraw(screen.lines(in: terminal.size)) }
    }
  }

  func stop() {
    queue.async { [self] in
      attempt {
        try terminal.release()
        // `raise` stops this thread before it can draw again; `kill` may stop another thread first.
        raise(SIGSTOP)
        try terminal.clearAndDraw(screen.lines(in: terminal.size))
      }
    }
  }

  func finish() {
    let work = DispatchWorkItem { [self] in
      observation?.cancel()
      attempt { try terminal.release() }
      isFinished = true
    }
    queue.async(execute: work)
    _ = work.wait(timeout: .now() + 1)
  }
}

// MARK: - Frames

extension ScreenPresenter {
  /// Observes the database until its next change.
  private func observe() {
    guard let pool, !isFinished else { return }
    generation += 1
    hasFirstValue = false
    let generation = generation
    observation = ValueObservation.tracking(region: .fullDatabase) { db in
      // A different value for each run: each commit counts.
      _ = try Int.fetchOne(db, sql: "PRAGMA schema_version")
      return UUID()
    }
    .numbered().start(
      in: pool,
      onError: { [self] error in
        queue.async { [self] in fail(error, of: generation) }
      },
      onChange: { [self] value in
        queue.async { [self] in change(to: value.number, of: generation) }
      }
    )
  }

  private func change(to number: UInt64, of generation: Int) {
    guard generation == self.generation, !isFinished else { return }
    screen.number = number
    screen.problem = nil
    guard hasFirstValue else {
      // The frame is read after the first value, so no commit falls between them.
      hasFirstValue = true
      return frame()
    }
    observation?.cancel()
    observation = nil
    self.generation += 1
    scheduleFrame()
  }

  private func fail(_ error: any Error, of generation: Int) {
    guard generation == self.generation, !isFinished else { return }
    // The next value shows a state that has not been shown.
    hasFirstValue = false
    let message = file.message(for: error)
    guard isDrawn else { return ending.end(.failed(message)) }
    screen.problem = "\(ClockTime.now()) \(message)"
    draw()
  }

  func scheduleFrame() {
    guard !isFrameDue, !screen.isPaused else { return }
    isFrameDue = true
    queue.asyncAfter(deadline: nextFrame) { [self] in
      isFrameDue = false
      if observation == nil, !screen.isPaused { observe() }
    }
  }

  /// Fetches and draws, and decides when the next frame may begin.
  private func frame() {
    let start = DispatchTime.now()
    guard !screen.isPaused else { return }
    let counting = countingTime
    fetch(isSameView: true) { _ in true }
    draw()
    let elapsed = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
    let seconds = elapsed - (countingTime - counting)
    nextFrame = start + max(Self.shortestInterval, seconds / Self.share)
  }

  private var countingTime: Double { screen.panes.reduce(0) { $0 + $1.fetch.countingTime } }

  /// Fetches panes from one state of the database.
  private func fetch(isSameView: Bool, where isWanted: (Pane) -> Bool) {
    fetch(screen.panes.indices.filter { isWanted(screen.panes[$0]) }, isSameView: isSameView)
  }

  func fetch(_ panes: [Int], isSameView: Bool) {
    guard let pool, !panes.isEmpty else { return }
    let height = terminal.size.rows
    do {
      try pool.read { db in
        for index in panes {
          fetch(db, pane: index, height: height, isSameView: isSameView)
        }
      }
    } catch {
      screen.problem = "\(ClockTime.now()) \(file.message(for: error))"
    }
  }

  private func fetch(_ db: Database, pane index: Int, height: Int, isSameView: Bool) {
    do {
      let view = screen.panes[index].view
      let contents = try screen.panes[index].fetch.fetch(db, view: view, height: height)
      if !contents.isWhole, let pool { search.remember(pane: index, in: pool) }
      screen.panes[index].show(contents, isSameView: isSameView, time: ClockTime.now())
    } catch {
      let message = file.message(for: error)
      if screen.panes[index].contents == nil { return ending.end(.failed(message)) }
      screen.panes[index].problem = "\(ClockTime.now()) \(message)"
    }
  }

  func draw() {
    guard ending.hasEnded == false else { return }
    attempt {
      try terminal.draw(screen.lines(in: terminal.size))
      isDrawn = true
    }
  }

  private func attempt(_ action: () throws -> Void) {
    guard !isFinished else { return }
    do {
      try action()
    } catch Output.Failure.closed {
      ending.end(.requested)
    } catch {
      ending.end(.failed(ErrorMessage.text(for: error)))
    }
  }
}
