internal import CommandLineSupport
internal import Dispatch
internal import FoundationEssentials
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
  private var isCountDue = false
  /// Whether the problem is that something is waited for.
  private var isWaiting = false
  private var fetching = ScreenFetching()
  /// Reads the database, so that keys are handled meanwhile.
  private let fetchQueue = DispatchQueue(label: "DemoCLI.fetch")
  var nextFrame = DispatchTime.now()
  var isDrawn = false
  /// Whether rows were shown. Until then, `q` is the only key.
  private(set) var hasShownRows = false
  /// Whether keys are read.
  private var isListening = false
  var isFinished = false

  /// The shortest time between two frames.
  private static let shortestInterval = 0.07
  /// The part of the time that fetching and drawing may take. Counting rows has a share of its own.
  private static let share = 0.07
  /// The time after which the screen says that rows are fetched.
  private static let patience = 0.05
  /// How long transactions of other processes are waited for before a file without a log is read
  /// with locks, which can make their commit fail.
  private static let patienceOfCommits = Duration.seconds(5)
  private static let patienceOfKeys = Duration.milliseconds(300)

  init(screen: Screen, file: WatchedFile, ending: Ending) {
    self.screen = screen
    self.file = file
    self.ending = ending
    search = ChangeSearch()
  }

  /// Starts to show a database.
  func start(_ pool: DatabasePool) {
    queue.async { [self] in
      self.pool = pool
      listen()
      observe()
    }
  }

  func showWaiting(for message: String) {
    queue.async { [self] in
      screen.problem = "\(ClockTime.now()) \(message)"
      isWaiting = true
      listen()
      draw()
    }
  }

  /// Starts to read keys.
  private func listen() {
    guard !isListening else { return }
    isListening = true
    Keyboard.start { [self] keys in
      queue.async { [self] in keys.forEach(handle) }
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
    if Self.isInterruption(error) {
      // A key has interrupted a fetch.
      observation?.cancel()
      observation = nil
      self.generation += 1
      return scheduleFrame()
    }
    let message = file.message(for: error)
    guard isDrawn else { return ending.end(.failed(message)) }
    screen.problem = "\(ClockTime.now()) \(message)"
    draw()
  }

  func scheduleFrame() {
    guard !isFrameDue, !screen.isPaused else { return }
    guard !fetching.isRunning else {
      fetching.isFrameDue = true
      return
    }
    isFrameDue = true
    queue.asyncAfter(deadline: nextFrame) { [self] in
      isFrameDue = false
      if observation == nil, !screen.isPaused { observe() }
    }
  }

  /// Fetches and draws the changes of a commit.
  private func frame() {
    guard !screen.isPaused else { return }
    fetch(Array(screen.panes.indices), isSameView: true, isCommit: true)
  }

  /// Fetches panes from one state of the database.
  private func fetch(isSameView: Bool, where isWanted: (Pane) -> Bool) {
    fetch(screen.panes.indices.filter { isWanted(screen.panes[$0]) }, isSameView: isSameView)
  }

  /// Fetches panes, and then draws. A fetch for an earlier view is interrupted.
  func fetch(_ panes: [Int], isSameView: Bool, isCommit: Bool = false) {
    guard let pool, !panes.isEmpty else { return }
    fetching.add(panes, isSameView: isSameView, isCommit: isCommit)
    if fetching.isRunning, !isSameView { pool.interrupt() }
    startFetch(pool)
  }

  private func startFetch(_ pool: DatabasePool) {
    guard !isFinished, let jobs = fetching.begin(screen.panes) else { return }
    for job in jobs where job.isCommit { screen.panes[job.index].needsComparison = true }
    let number = fetching.number
    queue.asyncAfter(deadline: .now() + Self.patience) { [self] in
      guard fetching.isRunning, fetching.number == number, !isFinished else { return }
      for job in jobs { screen.panes[job.index].isWorking = true }
      let wasDrawn = isDrawn
      draw()
      // An error before the first rows ends the command.
      isDrawn = wasDrawn
    }
    let height = terminal.size.rows
    // Changes are shown when the transaction has ended. The first rows, and rows that a key asks
    // for, do not wait for long.
    let isAwaited = !isDrawn || jobs.contains { !$0.isSameView }
    let patience = isAwaited ? Self.patienceOfKeys : Self.patienceOfCommits
    fetchQueue.async { [self] in
      let start = DispatchTime.now()
      let fetched = Self.perform(jobs, in: pool, height: height, waitingUpTo: patience)
      queue.async { [self] in endFetch(fetched, start: start) }
    }
  }

  /// Jobs that were run.
  private struct Fetched: Sendable {
    var jobs: [ScreenFetching.Job]
    /// The error that kept the database from being read.
    var problem: (any Error)?
    /// How long they took.
    var work = WorkTime()
    /// How much of it took counting, in seconds.
    var counting = 0.0
  }

  /// Runs jobs in one state of the database, until one is interrupted.
  private static func perform(
    _ jobs: [ScreenFetching.Job],
    in pool: DatabasePool,
    height: Int,
    waitingUpTo patience: Duration
  ) -> Fetched {
    var fetched = Fetched(jobs: jobs)
    do {
      try pool.unsafeWatchingRead(waitingUpTo: patience) { db in
        // The call before has read a state that was being written, and counts for its time only.
        fetched.jobs = jobs
        try RowChangeReader.read(db) { position in
          fetched.work.measure { run(&fetched.jobs, db, at: position, height: height) }
          fetched.counting +=
            fetched.jobs.reduce(0) { $0 + $1.fetch.countingTime }
            - jobs.reduce(0) { $0 + $1.fetch.countingTime }
        }
      }
    } catch {
      fetched.jobs = jobs
      fetched.problem = isInterruption(error) ? nil : error
    }
    return fetched
  }

  private static func run(
    _ jobs: inout [ScreenFetching.Job],
    _ db: Database,
    at position: RowChangeReader.Position?,
    height: Int
  ) {
    for index in jobs.indices {
      let view = jobs[index].view
      let outcome = Result {
        try jobs[index].fetch.fetch(db, at: position, view: view, height: height)
      }
      if case .failure(let error) = outcome, isInterruption(error) { return }
      if case .failure(let error) = outcome {
        jobs[index].problem = Suggestion.improved(error, db)
      }
      jobs[index].outcome = outcome
    }
  }

  static func isInterruption(_ error: any Error) -> Bool {
    (error as? DatabaseError)?.resultCode == .SQLITE_INTERRUPT
  }

  private func endFetch(_ fetched: Fetched, start: DispatchTime) {
    guard !isFinished else { return }
    let (jobs, seconds) = (fetched.jobs, fetched.work.seconds - fetched.counting)
    nextFrame = start + max(Self.shortestInterval, seconds / Self.share)
    if let problem = fetched.problem {
      _ = fetching.end([])
      screen.problem = "\(ClockTime.now()) \(file.message(for: problem))"
      for job in jobs { screen.panes[job.index].isWorking = false }
    } else {
      if isWaiting { (screen.problem, isWaiting) = (nil, false) }
      for job in fetching.end(jobs) { show(job) }
    }
    draw()
    if let pool { startFetch(pool) }
    countLater()
    guard !fetching.isRunning, fetching.isFrameDue else { return }
    fetching.isFrameDue = false
    scheduleFrame()
  }

  /// Counts rows again as soon as that may be done, so that the last state is exact.
  private func countLater() {
    let inexact = screen.panes.indices.filter {
      screen.panes[$0].contents?.isCountExact == false
    }
    guard !inexact.isEmpty, !isCountDue else { return }
    isCountDue = true
    let time = inexact.map { screen.panes[$0].fetch.nextCount }.max() ?? .now()
    queue.asyncAfter(deadline: max(time, .now() + Self.shortestInterval)) { [self] in
      isCountDue = false
      if !isFinished, !screen.isPaused { fetch(inexact, isSameView: true) }
    }
  }

  private func show(_ job: ScreenFetching.Job) {
    let index = job.index
    // The pane may show another table by now.
    guard screen.panes[index].query == job.fetch.query else { return }
    screen.panes[index].isWorking = false
    switch job.outcome {
    case .success(let contents):
      hasShownRows = true
      screen.panes[index].fetch = job.fetch
      screen.panes[index].show(
        contents,
        isSameView: job.isSameView,
        requestedRow: job.firstRow,
        time: ClockTime.now()
      )
      screen.panes[index].note(job.fetch.namedRows)
      if let pool { compare(index, in: pool) }
    case .failure(let failure):
      let error = job.problem ?? failure
      let message = file.message(for: error)
      if screen.panes[index].contents == nil {
        // A table that cannot be read is not a reason to close the list of tables.
        guard screen.closeTable() else { return ending.end(.failed(message)) }
        search.forget(pane: index)
        screen.panes[index].problem = "\(ClockTime.now()) \(message)"
        return
      }
      screen.panes[index].problem = "\(ClockTime.now()) \(message)"
    case nil: break
    }
  }

  /// Compares all rows of a large result with their former state, where nothing else shows the
  /// changes.
  private func compare(_ index: Int, in pool: DatabasePool) {
    guard screen.panes[index].contents?.isWhole == false else {
      if screen.panes[index].forgetsRows() { search.forget(pane: index) }
      return
    }
    let request = screen.panes[index].takeComparison()
    noteNamedRows(index, areNeeded: request != nil)
    guard let request else { return }
    let time = ClockTime.now()
    search.compare(request, pane: index, in: pool) { [self] comparison in
      queue.async { [self] in
        guard !isFinished else { return }
        screen.panes[index].show(
          comparison,
          for: request,
          isPaused: screen.isPaused,
          time: time
        )
        draw()
      }
    }
  }

  /// Tells the search which rows the log names.
  func noteNamedRows(_ index: Int, areNeeded: Bool) {
    guard let rows = screen.panes[index].takeNamedRows(isNeeded: areNeeded) else { return }
    search.note(rows, of: screen.panes[index].query, pane: index)
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
