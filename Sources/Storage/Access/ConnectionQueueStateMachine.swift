internal import WellspringSystem

/// Decides which caller gets which connection, in the order of the requests.
///
/// The state machine is pure: it opens nothing, waits for nothing and calls no waiter. The
/// ``ConnectionQueue`` holds it under a lock, and carries out its decisions after unlocking.
struct ConnectionQueueStateMachine<Connection: Sendable, Waiter: Sendable>: Sendable {
  typealias WaiterID = UInt64

  /// The next step of a caller that requests a connection.
  enum AcquireDecision: Sendable {
    /// Use this connection.
    case use(Connection)
    /// Open a connection and use it, or call ``releaseSlot()`` when that fails.
    case open
    /// Wait until the waiter is called.
    case wait(WaiterID)
    /// Fail: the queue is closed.
    case fail
  }

  /// The next step of a caller that gives something back.
  enum ReleaseDecision: Sendable {
    /// Nothing.
    case none
    /// Give the connection to this waiter.
    case handOver(Connection, to: Waiter)
    /// Let this waiter open a connection.
    case letOpen(Waiter)
    /// Close the connection.
    case close(Connection)
    /// Close the last connection, if there is one, and notify these waiters that all are closed.
    case closeLast(Connection?, [Waiter])
    /// Notify these waiters that all connections have come back.
    case notifyAllReturned([Waiter])
  }

  /// Which requests are served. A phase only leads to a later one.
  enum Phase: Comparable, Sendable {
    /// All.
    case open
    /// Requests that were made before the phase; later ones fail.
    case draining
    /// None. Connections that come back are closed.
    case closed
  }

  private(set) var phase = Phase.open
  private let capacity: Int
  private var idle: [Connection]
  /// How many connections are idle, in use or being opened.
  private var count: Int
  /// The waiters in the order of their requests.
  private var waiters = FIFO<(id: WaiterID, waiter: Waiter)>()
  private var nextID: WaiterID = 0
  private var closers: [Waiter] = []
  /// How many barriers are up. No connection is lent while there is one.
  private var barriers = 0
  /// The waiters that have put up a barrier, and wait until all connections have come back.
  private var barrierWaiters: [Waiter] = []

  init(capacity: Int, idle: [Connection] = []) {
    self.capacity = max(capacity, idle.count, 1)
    self.idle = idle
    count = idle.count
  }

  /// Requests a connection.
  ///
  /// - Parameter makeWaiter: Makes the waiter, if the caller has to wait.
  /// - Returns: The next step.
  mutating func acquire(_ makeWaiter: (WaiterID) -> Waiter) -> AcquireDecision {
    if phase != .open { return .fail }
    // Earlier waiters come first.
    if waiters.isEmpty, barriers == 0 {
      if let connection = idle.popLast() { return .use(connection) }
      if count < capacity {
        count += 1
        return .open
      }
    }
    let id = nextID
    nextID += 1
    waiters.append((id, makeWaiter(id)))
    return .wait(id)
  }

  /// Requests a connection for a caller that will neither wait nor open one.
  mutating func acquireIfIdle() -> Connection? {
    waiters.isEmpty && barriers == 0 && phase == .open ? idle.popLast() : nil
  }

  /// Requests a connection for a caller that will not wait, but opens one if necessary.
  ///
  /// - Returns: The next step; `nil` when the caller would have to wait.
  mutating func acquireIfFree() -> AcquireDecision? {
    if let connection = acquireIfIdle() { return .use(connection) }
    guard phase == .open, waiters.isEmpty, barriers == 0, count < capacity else {
      return nil
    }
    count += 1
    return .open
  }

  /// Takes back a connection from a caller that no longer uses it.
  mutating func release(_ connection: Connection) -> ReleaseDecision {
    if let waiter = popWaiter() { return .handOver(connection, to: waiter) }
    guard phase == .closed else {
      idle.append(connection)
      return checkAllReturned()
    }
    count -= 1
    return count == 0 ? .closeLast(connection, takeClosers()) : .close(connection)
  }

  /// Takes back the slot of a connection that a caller has closed, or could not open.
  mutating func releaseSlot() -> ReleaseDecision {
    if let waiter = popWaiter() { return .letOpen(waiter) }
    count -= 1
    return phase == .closed && count == 0 ? .closeLast(nil, takeClosers()) : checkAllReturned()
  }

  // MARK: Barriers

  /// Puts up a barrier: no connection is lent until ``endBarrier()``. Barriers may overlap.
  ///
  /// - Returns: Whether no connection is in use; otherwise the waiter is called later.
  mutating func beginBarrier(_ waiter: Waiter) -> Bool {
    barriers += 1
    if inUse == 0 { return true }
    barrierWaiters.append(waiter)
    return false
  }

  /// Ends one barrier, whether or not its waiter was called.
  ///
  /// - Returns: The next steps for the waiters that can be served now.
  mutating func endBarrier() -> [ReleaseDecision] {
    barriers -= 1
    guard barriers == 0 else { return [] }
    barrierWaiters.removeAll()
    var decisions: [ReleaseDecision] = []
    while !waiters.isEmpty {
      if let connection = idle.popLast() {
        popWaiter().map { decisions.append(.handOver(connection, to: $0)) }
      } else if count < capacity {
        count += 1
        popWaiter().map { decisions.append(.letOpen($0)) }
      } else {
        break
      }
    }
    return decisions
  }

  /// How many connections are in use or being opened.
  private var inUse: Int { count - idle.count }

  private mutating func checkAllReturned() -> ReleaseDecision {
    guard inUse == 0, !barrierWaiters.isEmpty else { return .none }
    defer { barrierWaiters.removeAll() }
    return .notifyAllReturned(barrierWaiters)
  }

  /// Removes a waiter that no longer waits.
  ///
  /// - Returns: The waiter; `nil` when it was served meanwhile.
  mutating func cancel(_ id: WaiterID) -> Waiter? {
    waiters.removeFirst { $0.id == id }?.waiter
  }

  /// Removes the idle connections.
  mutating func takeIdle() -> [Connection] {
    defer { idle.removeAll() }
    count -= idle.count
    return idle
  }

  /// Refuses new requests from now on. The waiters are still served.
  mutating func drain() { phase = max(phase, .draining) }

  /// Whether no connection is in use, and no caller waits for one.
  var isDrained: Bool { inUse == 0 && waiters.isEmpty }

  /// Removes all waiters.
  mutating func takeWaiters() -> [Waiter] {
    waiters.removeAll().map(\.waiter)
  }

  /// Refuses all requests from now on.
  ///
  /// - Parameter closer: Called when the last connection is closed, unless `isDone` is returned.
  /// - Returns: The connections to close, the waiters to fail, and whether these are the last ones.
  mutating func close(closer: Waiter) -> (idle: [Connection], waiters: [Waiter], isDone: Bool) {
    phase = .closed
    let connections = takeIdle()
    let failed = takeWaiters()
    if count > 0 { closers.append(closer) }
    return (connections, failed, count == 0)
  }

  private mutating func popWaiter() -> Waiter? {
    barriers == 0 ? waiters.popFirst()?.waiter : nil
  }

  private mutating func takeClosers() -> [Waiter] {
    defer {
      closers.removeAll()
      barrierWaiters.removeAll()
    }
    return closers + barrierWaiters
  }
}
