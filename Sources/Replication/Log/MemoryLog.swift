internal import WellspringSystem

/// A log in the memory of this process, for tests. It fails as its faults say.
///
/// Several nodes of a test get a connection each:
///
///     let log = MemoryLog()
///     let other = MemoryLog(sharing: log)
///     log.faults.appending = [.answerLost]
public final class MemoryLog: ReplicationLog {
  private struct State {
    var faults = LogFaults()
    var isClosed = false
    var late: [(bytes: [UInt8], position: LogPosition)] = []
    var waiters: [MonotonicSemaphore] = []
  }

  let store: MemoryLogStore
  // Guards the faults of this connection, and whether it is closed.
  private let state = Lock(State())

  /// The largest size of an entry in bytes.
  public let entryLimit: Int

  /// Makes an empty log.
  ///
  /// - Parameter entryLimit: The largest size of an entry in bytes.
  public init(entryLimit: Int = 1_500_000) {
    store = MemoryLogStore()
    self.entryLimit = entryLimit
  }

  /// Makes another connection to the same entries, with its own faults.
  public init(sharing log: MemoryLog) {
    store = log.store
    entryLimit = log.entryLimit
  }

  /// The faults of the calls of this connection.
  public var faults: LogFaults {
    get { state.withLock { $0.faults } }
    set { state.withLock { $0.faults = newValue } }
  }

  /// How many readers of all connections wait.
  var waiterCount: Int { store.waiterCount }

  /// The position of the last entry, without a call that may go wrong.
  var storedTail: LogPosition { store.withState { $0.tail } }

  /// Removes the last entries, like an engine that loses entries that it has acknowledged.
  ///
  /// - Parameter position: The last entry that stays.
  public func loseEntries(after position: LogPosition) {
    store.withState { state in
      let count = max(0, position.sequence - state.trimmed)
      state.entries = Array(state.entries.prefix(Int(count)))
    }
  }

  /// Appends an entry, if the last entry's position still is the given one.
  ///
  /// - Parameters:
  ///   - bytes: The entry.
  ///   - position: The last entry that the writer knows.
  /// - Returns: The outcome of the append.
  /// - Throws: ``ReplicationLogError`` if the entry certainly is not in the log.
  public func append(
    _ bytes: [UInt8],
    expecting position: LogPosition
  ) throws(ReplicationLogError) -> AppendOutcome {
    try begin()
    guard bytes.count <= entryLimit else {
      throw .tooLarge(bytes: bytes.count, limit: entryLimit)
    }
    let (isFull, fault) = state.withLock { state in
      let isFull = state.faults.isFull
      let isFaulty = !isFull && !state.faults.appending.isEmpty
      return (isFull, isFaulty ? state.faults.appending.removeFirst() : nil)
    }
    if isFull { throw .full("its test says so. Trim it, or end the fault.") }
    switch fault {
    case nil:
      return store.withState { $0.append(bytes, expecting: position) }
    case .answerLost:
      _ = store.withState { $0.append(bytes, expecting: position) }
      return .unknown("the answer was lost")
    case .requestLost:
      return .unknown("the request was lost")
    case .late:
      state.withLock { $0.late.append((bytes, position)) }
      return .unknown("the answer is late")
    case .forgotten:
      return store.withState { state in
        state.tail == position ? .appended(position.next) : .conflict(tail: state.tail)
      }
    case .otherAnswer(let answer):
      _ = store.withState { $0.append(bytes, expecting: position) }
      return answer
    }
  }

  /// Returns the entries after a position, in order and without gaps.
  ///
  /// - Parameters:
  ///   - position: The last entry that the reader has.
  ///   - limit: The largest number of entries.
  ///   - timeout: How long to wait for the first entry.
  /// - Returns: The entries, or none if the time is over.
  /// - Throws: ``ReplicationLogError``.
  public func entries(
    after position: LogPosition,
    limit: Int,
    waitingUpTo timeout: Duration
  ) throws(ReplicationLogError) -> [LogEntry] {
    try begin()
    let longest = min(timeout, .seconds(1_000_000_000))
    let deadline = MonotonicClock.now + longest.nanoseconds
    let waiter = MonotonicSemaphore()
    store.add(waiter)
    state.withLock { $0.waiters.append(waiter) }
    defer {
      store.remove(waiter)
      state.withLock { $0.waiters.removeAll { $0 === waiter } }
    }
    while true {
      if state.withLock({ $0.isClosed }) { throw .closed }
      let found = try stored(after: position, limit: limit)
      if !found.isEmpty { return faults.applied(to: found) }
      if !waiter.wait(until: deadline) { return [] }
    }
  }

  private func stored(
    after position: LogPosition,
    limit: Int
  ) throws(ReplicationLogError) -> [LogEntry] {
    let (trimmed, tail, bytes) = store.withState { state in
      let first = Int(max(0, position.sequence - state.trimmed))
      let rest = state.entries.dropFirst(first).prefix(limit)
      return (state.trimmed, state.tail, Array(rest))
    }
    if tail < position { throw .lost(tail: tail) }
    if position.sequence < trimmed { throw .trimmed(first: LogPosition(trimmed + 1)) }
    return bytes.enumerated().map { place, bytes in
      LogEntry(position: LogPosition(position.sequence + Int64(place) + 1), bytes: bytes)
    }
  }

  /// Returns the position of the last entry, or ``LogPosition/start`` if the log is empty.
  ///
  /// - Throws: ``ReplicationLogError``.
  public func tail() throws(ReplicationLogError) -> LogPosition {
    try begin()
    return store.withState { $0.tail }
  }

  /// Returns the position of the first entry that is kept, or `nil` if no entry is kept.
  ///
  /// - Throws: ``ReplicationLogError``.
  public func first() throws(ReplicationLogError) -> LogPosition? {
    try begin()
    return store.withState { $0.entries.isEmpty ? nil : LogPosition($0.trimmed + 1) }
  }

  /// Removes the entries before a position, but not the last entry.
  ///
  /// - Parameter position: The first entry to keep.
  /// - Throws: ``ReplicationLogError``. The entries may be gone nevertheless.
  public func trim(below position: LogPosition) throws(ReplicationLogError) {
    try begin()
    store.withState { state in
      let count = min(position.sequence, state.tail.sequence) - 1 - state.trimmed
      guard count > 0 else { return }
      state.entries.removeFirst(Int(count))
      state.trimmed += count
    }
  }

  /// Returns how much space is used.
  ///
  /// - Throws: ``ReplicationLogError``.
  public func usage() throws(ReplicationLogError) -> LogUsage {
    try begin()
    let count = store.withState { $0.entries.reduce(0) { $0 + Int64($1.count) } }
    var usage = LogUsage(bytes: count, bytesInUse: count)
    usage.isFull = state.withLock { $0.faults.isFull }
    return usage
  }

  /// Ends waiting calls, and later ones, with ``ReplicationLogError/closed``.
  public func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      return state.waiters
    }
    waiters.forEach { $0.signal() }
  }

  /// Checks that this connection is open.
  func checkIsOpen() throws(ReplicationLogError) {
    if state.withLock({ $0.isClosed }) { throw .closed }
  }

  /// Begins a call: late appends arrive, and faults of every call are reported.
  private func begin() throws(ReplicationLogError) {
    let late = state.withLock { state in
      defer { state.late = [] }
      return state.late
    }
    for (bytes, position) in late {
      store.withState { _ = $0.append(bytes, expecting: position) }
    }
    let (isClosed, isUnavailable) = state.withLock { state in
      let isUnavailable = state.faults.unavailableCalls > 0
      if isUnavailable { state.faults.unavailableCalls -= 1 }
      return (state.isClosed, isUnavailable)
    }
    if isClosed { throw .closed }
    if isUnavailable { throw .unavailable("its test says so.") }
  }
}
