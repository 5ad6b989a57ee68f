/// Decides when to look at a file for foreign commits, and which actions follow from a finding.
///
/// It is pure: it reads no clock, no file and no database. The ``ForeignCommitMonitor`` reports
/// events, and carries out the actions that each report returns, in their order.
struct LookSchedule<Identity: Equatable & Sendable, Waiter: Sendable>: Sendable {
  /// The next step of the monitor.
  enum Action: Sendable {
    /// Have the probe make the present state the known one.
    case adopt
    /// Watch the file and the attached files that the probe knows now, then report
    /// ``LookSchedule/didWatch(attachedFiles:isComplete:)``.
    case watch
    /// Report ``LookSchedule/tick()`` in this interval, in seconds, instead of the one before.
    case startTicking(interval: Double)
    /// End the watches and the ticks.
    case stopWatching
    /// Set whether foreign commits are noticed from now on.
    case setReady(Bool)
    /// Read which file is at the path, and report ``LookSchedule/lookDidBegin(at:)``.
    case beginLook
    /// Have the probe drop its knowledge of the file, because the path leads to another file or to
    /// none.
    case replaceFile
    /// Have the probe look, then report ``LookSchedule/lookDidEnd(_:attachedFiles:)``.
    case look
    /// Report ``LookSchedule/pauseDidEnd(_:)`` with this number after this time, in seconds.
    case pause(Double, number: UInt64)
    /// Notify the broker that the file may have changed.
    case notifyChange
    /// Notify the broker that time has passed.
    case notifyTick
    /// Answer these waiters: all foreign commits that precede their requests are known.
    case answer([Waiter])
    /// Have the probe close its open files and connections.
    case rest
  }

  /// The interval of looks without an event, in seconds: inotify does not report everything.
  private static var interval: Double { 1 }
  /// The interval while the kernel refuses to report events, in seconds.
  private static var intervalWithoutEvents: Double { 0.05 }

  private enum State {
    /// No query is observed. A look may still be under way from before.
    /// Exits: ``activate(at:)`` to `active`, ``stop()`` to `stopped`.
    case inactive(isLooking: Bool)
    /// Foreign commits are noticed.
    /// Exits: ``deactivate()`` to `inactive`, ``stop()`` to `stopped`.
    case active(Active)
    /// The database is closed. No exit.
    case stopped
  }

  private var state = State.inactive(isLooking: false)
  /// The number of the last pause. Numbers are never used twice, so that the end of an overtaken
  /// pause is not mistaken for the end of a later pause.
  private var lastPause: UInt64 = 0

  /// Whether foreign commits are noticed.
  var isActive: Bool {
    if case .active = state { true } else { false }
  }

  /// Whether no look is under way, and none is due before the next tick.
  var isResting: Bool {
    if case .active(let active) = state { active.isResting } else { true }
  }

  // MARK: Activity

  /// A query is observed: foreign commits are noticed when the actions are done. `identity` is
  /// `nil` when no file is at the path.
  mutating func activate(at identity: Identity?) -> [Action] {
    guard case .inactive(let isLooking) = state else { return [] }
    state = .active(Active(identity: identity, isLooking: isLooking))
    // The first adoption finds the attached files, so that these are watched too. The second
    // adoption includes commits that were written before the watches began. The look begins a
    // sequence. At its end, the probe closes the connections that it opened for the adoptions.
    return [.adopt, .watch, .adopt, .setReady(true)] + (isLooking ? [] : [.beginLook])
  }

  /// No query is observed any more. A look that is under way continues, but its result is dropped
  /// unless a query is observed again before its end.
  mutating func deactivate() -> [Action] {
    guard case .active(let active) = state else { return [] }
    state = .inactive(isLooking: active.isLooking)
    return [.setReady(false)] + active.answerAll() + [.stopWatching, .rest]
  }

  /// The database closes: nothing follows.
  mutating func stop() -> [Action] {
    let actions = deactivate()
    state = .stopped
    return actions
  }

  // MARK: Reports

  /// The watches have begun. They are complete unless the kernel has refused some.
  mutating func didWatch(attachedFiles: [String], isComplete: Bool) -> [Action] {
    whileActive { active, _ in
      active.attachedFiles = attachedFiles
      active.isWatchingAll = isComplete
      return [.startTicking(interval: isComplete ? Self.interval : Self.intervalWithoutEvents)]
    }
  }

  /// A watched file was written. The event is explained if commits of this process may have caused
  /// it. A lost directory ends its watch.
  mutating func eventDidArrive(isExplained: Bool, directoryWasLost: Bool = false) -> [Action] {
    whileActive { active, _ in
      (directoryWasLost ? [.watch] : [])
        + active.look(in: isExplained ? .afterOwnCommit : .afterEvent)
    }
  }

  /// An interval without an event has passed.
  mutating func tick() -> [Action] {
    whileActive { active, _ in
      (active.isWatchingAll ? [] : [.watch]) + [.notifyTick]
        + (active.isInSequence ? [] : active.look(in: nil))
    }
  }

  /// A caller waits for the result of a look that begins from now on.
  mutating func ask(_ waiter: Waiter) -> [Action] {
    guard isActive else { return [.answer([waiter])] }
    return whileActive { active, _ in active.look(in: .afterEvent, for: [waiter]) }
  }

  /// A look begins at the file that is at the path; `nil` when no file is there.
  mutating func lookDidBegin(at identity: Identity?) -> [Action] {
    whileActive { active, _ in
      guard identity != active.identity else { return [.look] }
      active.identity = identity
      return [.replaceFile, .notifyChange, .look]
    }
  }

  /// The look that was under way has ended.
  mutating func lookDidEnd(
    _ finding: ForeignCommitFinding,
    attachedFiles: [String]
  ) -> [Action] {
    if case .inactive = state { state = .inactive(isLooking: false) }
    return whileActive { active, lastPause in
      (attachedFiles == active.attachedFiles ? [] : [.watch])
        + (finding == .some ? [.notifyChange] : [])
        + active.lookDidEnd(finding, &lastPause)
    }
  }

  /// The pause with this number has ended.
  mutating func pauseDidEnd(_ number: UInt64) -> [Action] {
    whileActive { active, _ in active.pauseDidEnd(number) }
  }

  private mutating func whileActive(
    _ body: (inout Active, _ lastPause: inout UInt64) -> [Action]
  ) -> [Action] {
    guard case .active(var active) = state else { return [] }
    defer { state = .active(active) }
    return body(&active, &lastPause)
  }
}

/// The looks that follow an event: one immediately, then one after each of these pauses.
///
/// An event comes before its commit is visible, because the file is written before it is synced and
/// unlocked. Most commits are visible to the first looks; the last looks wait for a slow disk.
struct LookSequence: Sendable {
  /// The pauses, in milliseconds: about one second in all.
  private static let pauses = [
    0.2, 0.3, 0.5, 0.5, 0.5, 1, 1, 2, 2, 4, 4, 8, 8, 16, 32, 64, 128, 256, 512,
  ]

  /// The index of the next pause.
  private var next: Int

  /// The looks after an event that may come from a foreign commit.
  static let afterEvent = LookSequence(next: 0)

  /// The looks after an event that commits of this process explain: the first pause is 4 ms.
  ///
  /// Foreign commits are rare while this process commits, so fewer looks are enough.
  static let afterOwnCommit = LookSequence(next: 9)

  /// Whether no further look follows.
  var isAtEnd: Bool { next == Self.pauses.count }

  /// Takes the pause before the next look.
  ///
  /// - Returns: The pause in seconds, or `nil` after the last look.
  mutating func takePause() -> Double? {
    guard !isAtEnd else { return nil }
    defer { next += 1 }
    return Self.pauses[next] / 1000
  }
}
