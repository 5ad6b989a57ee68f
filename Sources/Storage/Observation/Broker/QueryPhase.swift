/// The phase of a query, which runs on one thread at a time.
enum QueryPhase: Sendable {
  /// Its latest value includes all commits that touch it.
  ///
  /// Exit: `due`, when a commit touches it, or its last error may have passed.
  case current

  /// It must be run, because of this commit and perhaps of later ones.
  ///
  /// Exit: `running`, when it is taken.
  case due(since: CommitNumber)

  /// A run waits for its thread or is under way, or its result is being delivered. The query must
  /// be run again if a commit has touched it since then.
  ///
  /// Exits: `current`, or `due` if it must be run again, when the result has been delivered.
  case running(dueSince: CommitNumber?)

  var isRunning: Bool {
    if case .running = self { true } else { false }
  }

  /// The first commit since the last snapshot that touches the query.
  var dueSince: CommitNumber? {
    switch self {
    case .current: nil
    case .due(let since): since
    case .running(let since): since
    }
  }

  /// Makes the query due, unless it is due already.
  ///
  /// - Returns: Whether it was not due.
  mutating func becomeDue(since number: CommitNumber) -> Bool {
    switch self {
    case .current: self = .due(since: number)
    case .running(dueSince: nil): self = .running(dueSince: number)
    case .due, .running: return false
    }
    return true
  }

  mutating func endRun() {
    guard case .running(let since) = self else { return }
    self = since.map { .due(since: $0) } ?? .current
  }
}
