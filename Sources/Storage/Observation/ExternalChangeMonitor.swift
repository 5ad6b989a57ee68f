internal import Dispatch
internal import WellspringPlatform

/// Looks into a file for commits of others.
///
/// It is called on the monitor's queue, and calls back on any thread.
protocol ExternalChangeProbe: Sendable {
  /// Takes the present state as known, before the first observation fetches it.
  func adopt()

  /// Looks whether others have committed since the last look.
  ///
  /// - Parameter completion: Called with what was found.
  func check(completion: @escaping @Sendable (ExternalChange) -> Void)

  /// The attached files that the last look has seen.
  var attachedFiles: [String] { get }

  /// Nothing has happened for a while: what is held can be let go.
  func rest()

  /// The file at the path is another one than before, or is gone.
  func fileWasReplaced()
}

/// What a look at a file found.
enum ExternalChange: Sendable {
  /// Others have not committed since the last look.
  case none
  /// Others have committed, or may have: the observations must be run again.
  case some
  /// Others are committing: a later look will tell.
  case unsettled
}

/// Notices that someone outside of this process has changed a file.
///
/// The kernel tells when the file, its WAL or its journal is written (inotify). That comes before the
/// commit is visible, so the probe looks again and again for a while after each event; and once in a
/// while without one, for what inotify cannot tell.
final class ExternalChangeMonitor: @unchecked Sendable {
  // Safe to share: all mutable state belongs to `queue`.

  /// The pauses between the looks that follow an event, in milliseconds. Most commits are visible
  /// within the first ones; the last ones wait for a disk that takes its time.
  private static let pauses = [
    0.2, 0.3, 0.5, 0.5, 0.5, 1, 1, 2, 2, 4, 4, 8, 8, 16, 32, 64, 128, 256, 512,
  ]

  /// Where the looks go on after an event that commits of this process explain: with 4 ms.
  private static let firstPauseWhenExplained = 9

  /// How often the file is looked at without an event, in seconds; and when the kernel gives none.
  private static let interval = 1.0
  private static let intervalWithoutEvents = 0.05

  private let path: String
  private let probe: any ExternalChangeProbe
  private let queue = DispatchQueue(label: "wellspring.external-changes")
  // Guards whether an event waits for the queue, so that a burst of them is one; and how many commits
  // of this process there were at the last event.
  private let events = Lock((isPending: false, ownCommits: UInt64(0)))
  private let ownCommits: @Sendable () -> UInt64

  // Guards whether commits of others are noticed by now.
  private let isReady = Lock(false)

  private var didChange: @Sendable () -> Void = {}
  private var didTick: @Sendable () -> Void = {}
  private var isNeeded: @Sendable () -> Bool = { false }
  /// The files whose writes are told: the file itself, and those attached.
  private var files: [String]
  /// A watch for each directory of them; fewer when the kernel has refused some.
  private var watches: [FileEvents.Watch] = []
  private var isWatchingAll = false
  private var timer: (any DispatchSourceTimer)?
  private var isActive = false
  private var isStopped = false
  private var identity: FileStatus.Identity?
  /// The index of the next pause, or `nil` when no look is due.
  private var nextPause: Int?
  /// Whether a look is under way.
  private var isChecking = false
  /// Whether a look was asked for meanwhile.
  private var mustCheckAgain = false
  /// Those who wait for the result of a look that begins after they asked.
  private var askers: [@Sendable () -> Void] = []
  /// Those who wait for the result of the look that is under way.
  private var waiters: [@Sendable () -> Void] = []
  /// Counts the looks that were planned, so that an overtaken one does nothing.
  private var plan: UInt64 = 0

  /// - Parameters:
  ///   - path: The file.
  ///   - probe: Looks into it.
  ///   - ownCommits: Counts the commits that are known already.
  init(
    path: String,
    probe: any ExternalChangeProbe,
    ownCommits: @escaping @Sendable () -> UInt64
  ) {
    self.path = path
    self.ownCommits = ownCommits
    self.probe = probe
    files = [path]
  }

  deinit {
    timer?.cancel()
  }

  /// Sets what is called, on any thread: `didChange` when the file may have changed, `didTick` from
  /// time to time, `isNeeded` to ask whether somebody observes.
  func setHandlers(
    didChange: @escaping @Sendable () -> Void,
    didTick: @escaping @Sendable () -> Void,
    isNeeded: @escaping @Sendable () -> Bool
  ) {
    queue.sync {
      self.didChange = didChange
      self.didTick = didTick
      self.isNeeded = isNeeded
    }
  }

  /// Somebody observes: what others commit will be noticed from when this returns.
  func resumeAndWait() {
    if isReady.withLock({ $0 }) { return }
    queue.sync { activate() }
  }

  /// Somebody observes: what others commit will be noticed from when `body` is called, which is on any
  /// thread.
  func resume(then body: @escaping @Sendable () -> Void) {
    if isReady.withLock({ $0 }) { return body() }
    queue.async {
      self.activate()
      body()
    }
  }

  private func activate() {
    guard !isActive, !isStopped else { return }
    isActive = true
    identity = FileStatus(path: path)?.identity
    // Before the watch begins, so that it includes attached files, and after it, so that nothing that
    // was written meanwhile is missed.
    probe.adopt()
    files = [path] + probe.attachedFiles
    startWatching()
    probe.adopt()
    isReady.withLock { $0 = true }
    // What a probe has opened to adopt is let go after a while.
    beginLooking()
  }

  /// Perhaps nobody observes any more.
  func pause() {
    queue.async {
      // Somebody may begin meanwhile: whoever does so from here on finds the monitor not ready, and
      // whoever has done so before is asked for.
      self.isReady.withLock { $0 = false }
      if self.isNeeded() {
        self.isReady.withLock { $0 = self.isActive }
      } else {
        self.deactivate()
      }
    }
  }

  /// Ends the monitor.
  func stop() {
    queue.async {
      self.isStopped = true
      self.deactivate()
      self.didChange = {}
      self.didTick = {}
    }
  }

  private func tellWaiters() {
    let told = waiters
    waiters = []
    for completion in told { completion() }
  }

  private func deactivate() {
    isReady.withLock { $0 = false }
    isActive = false
    waiters += askers
    askers = []
    tellWaiters()
    nextPause = nil
    watches = []
    isWatchingAll = false
    timer?.cancel()
    timer = nil
    probe.rest()
  }

  // MARK: Events

  private func startWatching() {
    if !isWatchingAll {
      let directories = Dictionary(grouping: files.map(FilePath.split), by: \.directory)
      watches = directories.compactMap { directory, files in
        let names = Set(files.flatMap { [$0.name, $0.name + "-wal", $0.name + "-journal"] })
        return FileEvents.shared.watch(directory) { [weak self] name in
          self?.noteEvent(name, names) ?? false
        }
      }
      isWatchingAll = watches.count == directories.count
    }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let interval = isWatchingAll ? Self.interval : Self.intervalWithoutEvents
    timer.schedule(
      deadline: .now() + interval,
      repeating: interval,
      leeway: .milliseconds(Int(interval * 100))
    )
    timer.setEventHandler { [weak self] in self?.tick() }
    self.timer?.cancel()
    self.timer = timer
    timer.activate()
  }

  /// - Returns: Whether the event may be news. Commits of this process make events too.
  private func noteEvent(_ name: String?, _ names: Set<String>) -> Bool {
    if let name, !names.contains(name) { return false }
    let number = ownCommits()
    let (isFirst, isExplained) = events.withLock { events in
      defer {
        events.isPending = true
        events.ownCommits = number
      }
      return (!events.isPending, events.ownCommits != number)
    }
    guard isFirst else { return !isExplained }
    queue.async {
      self.events.withLock { $0.isPending = false }
      guard self.isActive else { return }
      // The directory may have gone, and its watch with it.
      if name == nil {
        self.isWatchingAll = false
        self.startWatching()
      }
      self.beginLooking(isExplained: isExplained)
    }
    return !isExplained
  }

  private func tick() {
    guard isActive else { return }
    if !isWatchingAll { startWatching() }
    didTick()
    if nextPause == nil { look() }
  }

  // MARK: Looking

  private func beginLooking(isExplained: Bool = false) {
    // While this process commits, others hardly do: then fewer looks are enough.
    nextPause = isExplained ? Self.firstPauseWhenExplained : 0
    look()
  }

  /// Looks now, and calls `completion` when what others have committed until now is known.
  func look(then completion: @escaping @Sendable () -> Void) {
    queue.async {
      guard self.isActive else { return completion() }
      self.askers.append(completion)
      self.beginLooking()
    }
  }

  private func look() {
    guard isActive else { return }
    guard !isChecking else {
      mustCheckAgain = true
      return
    }
    let current = FileStatus(path: path)?.identity
    if current != identity {
      identity = current
      probe.fileWasReplaced()
      didChange()
    }
    isChecking = true
    waiters += askers
    askers = []
    probe.check { change in
      self.queue.async { self.didLook(change) }
    }
  }

  private func didLook(_ change: ExternalChange) {
    isChecking = false
    guard isActive else { return }
    let attached = probe.attachedFiles
    if attached.count != files.count - 1 || !files.dropFirst().elementsEqual(attached) {
      files = [path] + attached
      isWatchingAll = false
      startWatching()
    }
    if change == .some { didChange() }
    if change != .unsettled || nextPause.map({ $0 >= Self.pauses.count }) ?? true { tellWaiters() }
    if mustCheckAgain {
      mustCheckAgain = false
      look()
      return
    }
    guard let pause = nextPause else {
      // What was found without an event may be the first sign of a commit that is not visible yet.
      if change == .none { probe.rest() }
      return
    }
    guard pause < Self.pauses.count else {
      nextPause = nil
      probe.rest()
      return
    }
    nextPause = pause + 1
    plan += 1
    let plan = plan
    queue.asyncAfter(deadline: .now() + Self.pauses[pause] / 1000) { [weak self] in
      guard let self, self.plan == plan, nextPause != nil else { return }
      look()
    }
  }
}
