/// Looks into a file for foreign commits: commits by other processes, or by connections outside
/// this library.
///
/// The ``ForeignCommitMonitor`` decides when to call it, and makes all calls on its queue.
protocol ForeignCommitProbe: Sendable {
  /// Makes the present state the known one, before the first observation fetches it.
  func adopt()

  /// Looks for foreign commits since the last look.
  ///
  /// - Parameter completion: Called once, on any thread, with the finding.
  func look(completion: @escaping @Sendable (ForeignCommitFinding) -> Void)

  /// The known changes of the foreign commits that the last look has found.
  var found: FoundCommits { get }

  /// The attached files that the last look has seen.
  var attachedFiles: [String] { get }

  /// Closes its open files and connections, because nothing has happened for a while.
  func rest()

  /// Drops its knowledge of the file, because the file at the path was replaced or no longer
  /// exists.
  func fileWasReplaced()
}

/// Foreign commits that were found.
struct FoundCommits: Sendable {
  let changes: CommittedChanges
  /// The index of the log that counts them; `nil` if it is not known.
  var index: WALIndex?

  /// Commits that may have changed anything.
  static func unknown(_ obstacle: PageObstacle) -> FoundCommits {
    FoundCommits(changes: .foreign(obstacle))
  }
}

/// Merges a burst of file events into one event, and finds the events that commits of this process
/// explain.
///
/// It is pure. The ``ForeignCommitMonitor`` holds it in a lock, because events do not arrive on the
/// monitor's queue.
struct EventBurst: Sendable {
  /// Whether an event waits for the monitor's queue.
  private var isPending = false
  /// The number of commits of this process at the last event.
  private var ownCommits: UInt64 = 0

  /// Notes an event.
  ///
  /// - Parameters:
  ///   - ownCommits: The number of commits of this process until now.
  ///   - isLoss: Whether the watch may be lost, which the event before does not tell.
  /// - Returns: Whether the event begins a burst, or is a loss, and must be handled; and whether
  ///   this process has committed since the last event, which explains this one.
  mutating func note(
    ownCommits: UInt64,
    isLoss: Bool = false
  ) -> (mustHandle: Bool, isExplained: Bool) {
    defer {
      isPending = true
      self.ownCommits = ownCommits
    }
    return (!isPending || isLoss, self.ownCommits != ownCommits)
  }

  /// Ends the burst: the monitor handles it now. A later event begins another one.
  mutating func end() { isPending = false }
}
