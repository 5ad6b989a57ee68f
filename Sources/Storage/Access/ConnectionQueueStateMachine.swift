/// Decides who gets which connection, first come first served.
///
/// It is pure: it opens nothing, waits for nothing and calls nobody. The ``ConnectionQueue`` that
/// holds it under its lock does what it decides, after unlocking.
struct ConnectionQueueStateMachine<Connection: Sendable, Waiter: Sendable>: Sendable {
  typealias WaiterID = UInt64

  /// What a caller that wants a connection does.
  enum AcquireDecision: Sendable {
    /// Use this connection.
    case use(Connection)
    /// Open a connection and use it, or tell ``connectionDidVanish()``.
    case open
    /// Wait until called.
    case wait(WaiterID)
    /// Fail: the queue is closed.
    case fail
  }

  /// What the caller that gives something back does.
  enum ReleaseDecision: Sendable {
    /// Nothing.
    case none
    /// Give the connection to this waiter.
    case handOver(Connection, to: Waiter)
    /// Let this waiter open a connection.
    case letOpen(Waiter)
    /// Close the connection.
    case close(Connection)
    /// Close the connection: it was the last one, and these callers wait for that.
    case closeLast(Connection?, [Waiter])
    /// Tell these callers that nobody has a connection.
    case tellAllReturned([Waiter])
  }

  private let capacity: Int
  private var idle: [Connection]
  /// Connections that are idle, in use or being opened.
  private var count: Int
  private var waiters: [(id: WaiterID, waiter: Waiter)] = []
  private var firstWaiter = 0
  private var nextID: WaiterID = 0
  private var isClosed = false
  private var closers: [Waiter] = []
  /// How many barriers are up: nobody gets a connection while there is one.
  private var barriers = 0
  /// Those who wait behind their barrier until nobody has a connection.
  private var barrierWaiters: [Waiter] = []

  init(capacity: Int, idle: [Connection] = []) {
    self.capacity = max(capacity, idle.count, 1)
    self.idle = idle
    count = idle.count
  }

  /// A caller wants a connection. `makeWaiter` makes what to call when it must wait.
  mutating func acquire(_ makeWaiter: (WaiterID) -> Waiter) -> AcquireDecision {
    if isClosed { return .fail }
    // Whoever waits comes first.
    if waiters.count == firstWaiter, barriers == 0 {
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

  /// A caller wants a connection only when it need not wait, nor open one.
  mutating func acquireIfIdle() -> Connection? {
    waiters.count == firstWaiter && barriers == 0 ? idle.popLast() : nil
  }

  /// A caller wants a connection only when it need not wait, though it may have to open one.
  ///
  /// - Returns: What to do; `nil` when it would have to wait.
  mutating func acquireIfFree() -> AcquireDecision? {
    if let connection = acquireIfIdle() { return .use(connection) }
    guard !isClosed, waiters.count == firstWaiter, barriers == 0, count < capacity else {
      return nil
    }
    count += 1
    return .open
  }

  /// A caller has done with a connection.
  mutating func release(_ connection: Connection) -> ReleaseDecision {
    if let waiter = popWaiter() { return .handOver(connection, to: waiter) }
    guard isClosed else {
      idle.append(connection)
      return checkAllReturned()
    }
    count -= 1
    return count == 0 ? .closeLast(connection, takeClosers()) : .close(connection)
  }

  /// A caller that was told to open a connection could not, or has closed the one that it had.
  mutating func connectionDidVanish() -> ReleaseDecision {
    if let waiter = popWaiter() { return .letOpen(waiter) }
    count -= 1
    return isClosed && count == 0 ? .closeLast(nil, takeClosers()) : checkAllReturned()
  }

  // MARK: Barriers

  /// Nobody gets a connection from now on, until ``endBarrier()``. Barriers may overlap.
  ///
  /// - Returns: Whether nobody has a connection; otherwise the waiter is called when that is so.
  mutating func beginBarrier(_ waiter: Waiter) -> Bool {
    barriers += 1
    if inUse == 0 { return true }
    barrierWaiters.append(waiter)
    return false
  }

  /// Ends one barrier, whether or not its waiter was called.
  ///
  /// - Returns: What to do about those who have waited meanwhile.
  mutating func endBarrier() -> [ReleaseDecision] {
    barriers -= 1
    guard barriers == 0 else { return [] }
    barrierWaiters.removeAll()
    var decisions: [ReleaseDecision] = []
    while firstWaiter < waiters.count {
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
    return .tellAllReturned(barrierWaiters)
  }

  /// A caller does not want to wait any longer.
  ///
  /// - Returns: Its waiter, or `nil` when it has been served meanwhile.
  mutating func cancel(_ id: WaiterID) -> Waiter? {
    guard let index = waiters[firstWaiter...].firstIndex(where: { $0.id == id }) else { return nil }
    let waiter = waiters.remove(at: index).waiter
    dropServed()
    return waiter
  }

  /// Takes the connections that nobody uses.
  mutating func takeIdle() -> [Connection] {
    defer { idle.removeAll() }
    count -= idle.count
    return idle
  }

  /// Nobody gets a connection from now on.
  ///
  /// - Returns: The connections to close, the waiters to fail, and whether all is closed by that;
  ///   otherwise `closer` is called when it is.
  mutating func close(closer: Waiter) -> (idle: [Connection], waiters: [Waiter], isDone: Bool) {
    isClosed = true
    let connections = takeIdle()
    let failed = waiters[firstWaiter...].map(\.waiter)
    waiters.removeAll()
    firstWaiter = 0
    if count > 0 { closers.append(closer) }
    return (connections, failed, count == 0)
  }

  private mutating func popWaiter() -> Waiter? {
    guard firstWaiter < waiters.count, barriers == 0 else { return nil }
    let waiter = waiters[firstWaiter].waiter
    firstWaiter += 1
    dropServed()
    return waiter
  }

  /// Drops the served ones in one go, so that serving stays cheap with many waiters.
  private mutating func dropServed() {
    guard firstWaiter == waiters.count || firstWaiter > 64 else { return }
    waiters.removeFirst(firstWaiter)
    firstWaiter = 0
  }

  private mutating func takeClosers() -> [Waiter] {
    defer {
      closers.removeAll()
      barrierWaiters.removeAll()
    }
    return closers + barrierWaiters
  }
}
