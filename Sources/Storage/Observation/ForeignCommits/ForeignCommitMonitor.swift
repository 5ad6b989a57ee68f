internal import Dispatch
internal import WellspringSystem

/// Notices foreign commits in a file: commits by other processes, or by connections outside this
/// library.
///
/// The kernel reports when the file, its WAL or its journal is written (inotify). A
/// ``LookSchedule`` decides when a probe looks into the file: several times after each event, and
/// once in a while without one. The monitor carries out these decisions: it owns the watches and
/// the timers, and calls the probe.
final class ForeignCommitMonitor: @unchecked Sendable {
  // Safe to share: all mutable state belongs to `queue`, or has a lock.

  private typealias Schedule = LookSchedule<FoundFile, @Sendable () -> Void>

  /// The file that the path leads to.
  private struct FoundFile: Equatable, Sendable {
    let trail: FilePath.Trail
    /// `nil` when no file exists there.
    let identity: FileStatus.Identity?
  }

  private let file: FollowedFile
  private let probe: any ForeignCommitProbe
  private let ownCommits: @Sendable () -> UInt64
  private let queue = DispatchQueue(label: "wellspring.foreign-commits")

  // Guards the events that have come since the queue handled the last one.
  private let events = Lock(EventBurst())
  // Guards whether foreign commits are noticed by now, for callers outside the queue.
  private let isReady = Lock(false)

  private var schedule = Schedule()
  private var didChange: @Sendable (FoundCommits) -> Void = { _ in }
  private var didTick: @Sendable () -> Void = {}
  private var isNeeded: @Sendable () -> Bool = { false }
  /// A watch for each directory of the file and its attached files, unless the kernel has refused.
  private var watches: [FileEvents.Watch] = []
  /// Where the path led when the watches began.
  private var watchedTrail: FilePath.Trail?
  private var timer: (any DispatchSourceTimer)?

  /// - Parameters:
  ///   - file: The file.
  ///   - probe: Looks into it.
  ///   - ownCommits: Returns the number of this process's commits to the file so far.
  init(
    _ file: FollowedFile,
    probe: any ForeignCommitProbe,
    ownCommits: @escaping @Sendable () -> UInt64
  ) {
    self.file = file
    self.probe = probe
    self.ownCommits = ownCommits
  }

  deinit {
    timer?.cancel()
  }

  /// Sets the handlers, which are called on any thread: `didChange` when the file may have changed,
  /// with the known changes, `didTick` from time to time, `isNeeded` to ask whether any query is
  /// observed.
  func setHandlers(
    didChange: @escaping @Sendable (FoundCommits) -> Void,
    didTick: @escaping @Sendable () -> Void,
    isNeeded: @escaping @Sendable () -> Bool
  ) {
    queue.sync {
      self.didChange = didChange
      self.didTick = didTick
      self.isNeeded = isNeeded
    }
  }

  // MARK: Activity

  /// Begins to notice foreign commits. No commit is missed after this returns.
  func resumeAndWait() {
    if isReady.withLock({ $0 }) { return }
    queue.sync { activate() }
  }

  /// Begins to notice foreign commits, and then calls `body` on any thread. No commit is missed
  /// from that call on.
  func resume(then body: @escaping @Sendable () -> Void) {
    if isReady.withLock({ $0 }) { return body() }
    queue.async {
      self.activate()
      body()
    }
  }

  private func activate() {
    perform(schedule.activate(at: find()))
  }

  /// Follows the symbolic links of the path, and returns the file that is there now.
  private func find() -> FoundFile {
    let trail = file.follow()
    return FoundFile(trail: trail, identity: FileStatus(path: trail.path)?.identity)
  }

  /// Stops noticing foreign commits, unless a query is observed by the time the queue runs this.
  func pause() {
    queue.async {
      // An observation that starts from here on finds the monitor not ready, and waits for the
      // queue. An observation that started before is counted by `isNeeded`.
      self.isReady.withLock { $0 = false }
      if self.isNeeded() {
        let isActive = self.schedule.isActive
        self.isReady.withLock { $0 = isActive }
      } else {
        self.perform(self.schedule.deactivate())
      }
    }
  }

  /// Ends the monitor.
  func stop() {
    queue.async {
      self.perform(self.schedule.stop())
      self.didChange = { _ in }
      self.didTick = {}
    }
  }

  /// Looks now, and calls `completion` when all foreign commits that precede this call are known.
  func look(then completion: @escaping @Sendable () -> Void) {
    queue.async { self.perform(self.schedule.ask(completion)) }
  }

  /// Runs `body` after the present work of the monitor, and waits for its end. The caller must not
  /// be called by the monitor.
  func afterPresentWork(_ body: () -> Void) { queue.sync(execute: body) }

  /// Whether no look is under way, and none is due before the next tick.
  var isResting: Bool { queue.sync { schedule.isResting } }

  // MARK: Actions

  private func perform(_ actions: [Schedule.Action]) {
    for action in actions { perform(action) }
  }

  private func perform(_ action: Schedule.Action) {
    switch action {
    case .adopt: probe.adopt()
    case .watch: watch()
    case .startTicking(let interval): startTicking(interval)
    case .stopWatching: stopWatching()
    case .setReady(let isReady): self.isReady.withLock { $0 = isReady }
    case .beginLook: perform(schedule.lookDidBegin(at: find()))
    case .replaceFile: replaceFile()
    case .look: startLook()
    case .pause(let seconds, let number): startPause(seconds, number)
    case .notifyChange: didChange(probe.found)
    case .notifyTick: didTick()
    case .answer(let waiters): for waiter in waiters { waiter() }
    case .rest: probe.rest()
    }
  }

  private func replaceFile() {
    probe.fileWasReplaced()
    // The file, or a symbolic link to it, may be in another directory now.
    if watchedTrail != file.follow() { watch() }
  }

  private func startLook() {
    probe.look { finding in
      self.queue.async {
        let attachedFiles = self.probe.attachedFiles
        self.perform(self.schedule.lookDidEnd(finding, attachedFiles: attachedFiles))
      }
    }
  }

  private func startPause(_ seconds: Double, _ number: UInt64) {
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self else { return }
      perform(schedule.pauseDidEnd(number))
    }
  }

  // MARK: Watches and ticks

  private func watch() {
    let attachedFiles = probe.attachedFiles
    let trail = file.follow()
    watchedTrail = trail
    let files = (trail.links + [trail.path] + attachedFiles).map(FilePath.split)
    let directories = Dictionary(grouping: files, by: \.directory)
    watches = directories.compactMap { directory, files in
      let names = Set(files.flatMap { [$0.name, $0.name + "-wal", $0.name + "-journal"] })
      return FileEvents.shared.watch(directory) { [weak self] event in
        self?.note(event, among: names) ?? .irrelevant
      }
    }
    let isComplete = watches.count == directories.count
    perform(schedule.didWatch(attachedFiles: attachedFiles, isComplete: isComplete))
  }

  /// Notes an event of a directory with these files, on any thread.
  ///
  /// - Returns: Where it comes from. Own commits make events too.
  private func note(_ event: FileEvents.Event, among names: Set<String>) -> FileEvents.Origin {
    if case .file(let name) = event, !names.contains(name) { return .irrelevant }
    let number = ownCommits()
    let isLoss = event == .lost
    let (mustHandle, isExplained) = events.withLock {
      $0.note(ownCommits: number, isLoss: isLoss)
    }
    // Other processes may have written while writes were not reported, but rarely have.
    let isQuiet = event == .unreportedWrites
    if mustHandle {
      queue.async {
        self.events.withLock { $0.end() }
        self.perform(
          self.schedule.eventDidArrive(
            isExplained: isExplained || isQuiet,
            directoryWasLost: isLoss
          )
        )
      }
    }
    return isExplained ? .thisProcess : isQuiet ? .irrelevant : .unknown
  }

  private func startTicking(_ interval: Double) {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + interval,
      repeating: interval,
      leeway: .milliseconds(Int(interval * 100))
    )
    timer.setEventHandler { [weak self] in
      guard let self else { return }
      perform(schedule.tick())
    }
    self.timer?.cancel()
    self.timer = timer
    timer.activate()
  }

  private func stopWatching() {
    watches = []
    timer?.cancel()
    timer = nil
  }
}
