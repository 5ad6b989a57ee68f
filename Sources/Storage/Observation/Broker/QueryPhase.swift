/// The identity of a live query. A broker never uses one for two queries.
struct QueryID: Hashable, Comparable, Sendable {
  let rawValue: UInt64

  init(_ rawValue: UInt64) {
    self.rawValue = rawValue
  }

  static func < (left: QueryID, right: QueryID) -> Bool { left.rawValue < right.rawValue }

  /// The hash of a dictionary or a set.
  ///
  /// Identities are counted, and no input chooses them. A multiplication spreads them well enough,
  /// in a tenth of the instructions of the standard library's hash: a query is looked up thirty
  /// times between its start and its end.
  func _rawHashValue(seed: Int) -> Int {
    let product = (rawValue ^ UInt64(truncatingIfNeeded: seed)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: product ^ (product >> 32))
  }
}

/// A database that can be observed. Its observations hold it, so that it stays open as long as they
/// live.
protocol ObservedDatabase: AnyObject, Sendable {
  var broker: ObservationBroker { get }
}

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

/// When a query that failed is run again.
///
/// A commit that changes the query's region makes it run too. Retries are for causes outside the
/// database, such as a locked file or a full disk.
struct QueryRetry: Sendable {
  private static let firstDelay: UInt64 = 1_000_000_000
  private static let maximumDelay: UInt64 = 64_000_000_000

  /// In nanoseconds, on the broker's clock.
  let time: UInt64
  private let delay: UInt64

  /// - Parameters:
  ///   - last: The previous retry, if the previous run failed too. It stays planned if its time has
  ///     not come, because a commit has made the query run.
  ///   - now: The time, in nanoseconds.
  init(after last: QueryRetry?, at now: UInt64) {
    if let last, last.time > now {
      self = last
    } else {
      delay = last.map { min($0.delay * 2, Self.maximumDelay) } ?? Self.firstDelay
      time = now + delay
    }
  }
}
