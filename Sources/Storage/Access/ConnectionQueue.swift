internal import CWellspringSQLite
internal import Dispatch
internal import WellspringSystem

/// Lends connections of one kind to sync and async code, in the order of the requests.
///
/// It holds a ``ConnectionQueueStateMachine`` under its lock, and carries out its decisions.
final class ConnectionQueue: Sendable {
  /// The message that a waiter receives.
  enum Grant: Sendable {
    case connection(PooledConnection)
    /// The waiter has to open a connection.
    case mustOpen
    /// All connections have come back: the grant for a caller that closes the queue or that has put
    /// up a barrier.
    case allReturned
    case closed
    case cancelled
  }

  typealias Waiter = @Sendable (Grant) -> Void

  struct State {
    var machine: Machine
    /// The connections in use, to detect an access inside another access. They are few.
    var borrowed: [PooledConnection] = []
    /// The connections in use that must be closed when they come back.
    var stale: Set<ObjectIdentifier> = []
    /// Counts how often the file was replaced.
    var epoch = 0
    /// The connections that could not be closed, because their statements are still held.
    var unclosed: [PooledConnection] = []

    /// The threads that have put up a barrier, once for each.
    var barrierThreads: [UInt] = []

    /// The connection of the access that the calling thread is in.
    var currentConnection: PooledConnection? { borrowed.first(where: \.isUsedByCurrentThread) }

    /// Whether the calling thread is in an access, or in a barrier, during which it is lent none.
    var isUsedByCurrentThread: Bool {
      currentConnection != nil || isBarredByCurrentThread
    }

    var isBarredByCurrentThread: Bool {
      !barrierThreads.isEmpty && barrierThreads.contains(CurrentThread.id)
    }

    /// Lends a connection if one is idle.
    mutating func lendIdle() -> PooledConnection? {
      guard let connection = machine.acquireIfIdle() else { return nil }
      borrowed.append(connection)
      return connection
    }

    /// Lends a connection, or a slot to open one, if the caller need not wait for it.
    mutating func lendFree() -> Machine.AcquireDecision? {
      let decision = machine.acquireIfFree()
      if case .use(let connection) = decision { borrowed.append(connection) }
      return decision
    }

    /// Lends a connection, or adds `waiter` to the waiters.
    mutating func lend(_ waiter: @escaping Waiter) -> Machine.AcquireDecision {
      let decision = machine.acquire { _ in waiter }
      if case .use(let connection) = decision { borrowed.append(connection) }
      return decision
    }

    /// Takes a connection back, and lends it to the first waiter.
    ///
    /// - Returns: The next step; `nil` when the caller has to close the connection.
    mutating func takeBack(_ connection: PooledConnection) -> Machine.ReleaseDecision? {
      if let index = borrowed.lastIndex(where: { $0 === connection }) {
        borrowed.swapAt(index, borrowed.count - 1)
        borrowed.removeLast()
      }
      if !stale.isEmpty, stale.remove(ObjectIdentifier(connection)) != nil { return nil }
      let decision = machine.release(connection)
      if case .handOver(let connection, _) = decision { borrowed.append(connection) }
      return decision
    }
  }

  typealias Machine = ConnectionQueueStateMachine<PooledConnection, Waiter>

  // Guards which connections are lent, and the waiters. Waiters are called, and connections opened,
  // outside it.
  let state: Lock<State>
  private let open: @Sendable () throws -> PooledConnection
  let process = ProcessIdentity()
  /// Called when a connection comes back and no waiter needs it.
  private let didIdle: @Sendable (ConnectionQueue) -> Void

  /// Makes a queue that opens connections when they are needed.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of connections, including those in `idle`.
  ///   - idle: Connections that are open already.
  ///   - open: Opens a connection.
  ///   - didIdle: Called when a connection comes back and no waiter needs it.
  init(
    capacity: Int,
    idle: [PooledConnection] = [],
    open: @escaping @Sendable () throws -> PooledConnection,
    didIdle: @escaping @Sendable (ConnectionQueue) -> Void = { _ in }
  ) {
    state = Lock(State(machine: Machine(capacity: capacity, idle: idle)))
    self.open = open
    self.didIdle = didIdle
  }

  /// Whether the calling thread is in an access to one of the connections, or keeps them from being
  /// lent: it must not wait for a connection.
  var isUsedByCurrentThread: Bool {
    process.isCurrent && state.withLock { $0.isUsedByCurrentThread }
  }

  /// Whether the calling thread keeps the connections from being lent.
  var isBarredByCurrentThread: Bool {
    process.isCurrent && state.withLock { $0.isBarredByCurrentThread }
  }

  /// The connection of the access that the calling thread is in.
  var currentConnection: PooledConnection? {
    guard process.isCurrent else { return nil }
    return state.withLock { $0.currentConnection }
  }

  /// The labels of the connections that are in use.
  var labelsInUse: [String] { state.withLock { $0.borrowed.map(\.label).sorted() } }

  /// The error of accesses that come too late.
  var refusal: DatabaseError {
    state.withLock { $0.machine.phase } == .draining ? .databaseIsShuttingDown : .databaseIsClosed
  }

  // MARK: Sync

  /// Runs `body` with a connection on the calling thread, which blocks until there is one.
  func access<Result>(
    _ kind: Database.Access,
    _ body: (Database) throws -> Result
  ) throws -> Result {
    let connection = try acquire()
    defer { release(connection) }
    return try connection.access(kind, body)
  }

  /// Runs `body` with a connection if one is idle, and returns `nil` otherwise.
  func accessIfIdle<Result>(
    _ kind: Database.Access,
    _ body: (Database) throws -> Result
  ) rethrows -> Result? {
    guard process.isCurrent else { return nil }
    guard let connection = state.withLock({ $0.lendIdle() }) else { return nil }
    defer { release(connection) }
    return try connection.access(kind, body)
  }

  /// Runs `body` with a connection if one is idle or can be opened; otherwise returns `nil`.
  func accessIfFree<Result>(
    _ kind: Database.Access,
    _ body: (Database) throws -> Result
  ) throws -> Result? {
    guard process.isCurrent else { return nil }
    let connection: PooledConnection
    switch state.withLock({ $0.lendFree() }) {
    case .use(let idle): connection = idle
    case .open: connection = try openConnection()
    default: return nil
    }
    defer { release(connection) }
    return try connection.access(kind, body)
  }

  private func acquire() throws -> PooledConnection {
    guard process.isCurrent else { throw DatabaseError.usedAfterFork }
    // Usually a connection is idle. Then the lock is taken only once.
    let (isReentrant, idle) = state.withLock { state in
      state.isUsedByCurrentThread ? (true, nil) : (false, state.lendIdle())
    }
    guard !isReentrant else {
      throw DatabaseError.misuse(
        """
        a database was accessed inside another access to it, which would deadlock: use the db of \
        the outer access, or call after it has ended
        """
      )
    }
    return try idle ?? waitForConnection()
  }

  private func waitForConnection() throws -> PooledConnection {
    let semaphore = DispatchSemaphore(value: 0)
    // Guards the connection that the waiting thread is lent.
    let grant = Lock(Grant?.none)
    let decision = state.withLock { state in
      state.lend { value in
        grant.withLock { $0 = value }
        semaphore.signal()
      }
    }
    switch decision {
    case .use(let connection):
      return connection
    case .open:
      return try openConnection()
    case .fail:
      throw refusal
    case .wait:
      semaphore.wait()
      switch grant.withLock({ $0 }) {
      case .connection(let connection): return connection
      case .mustOpen: return try openConnection()
      case .closed, .cancelled, .allReturned, nil: throw refusal
      }
    }
  }

  // MARK: Opening and releasing

  func openConnection() throws -> PooledConnection {
    do {
      while true {
        let epoch = state.withLock { $0.epoch }
        let connection = try open()
        let isCurrent = state.withLock { state in
          guard state.epoch == epoch else { return false }
          state.borrowed.append(connection)
          return true
        }
        if isCurrent { return connection }
        // The file was replaced meanwhile, so this may be a connection to the old file.
        connection.database.close()
      }
    } catch {
      carryOut(state.withLock { $0.machine.releaseSlot() })
      throw error
    }
  }

  func release(_ connection: PooledConnection) {
    guard process.isCurrent else { return }
    if let decision = state.withLock({ $0.takeBack(connection) }) { return carryOut(decision) }
    connection.database.close()
    carryOut(state.withLock { $0.machine.releaseSlot() })
  }

  func carryOut(_ decision: Machine.ReleaseDecision) {
    switch decision {
    case .none:
      didIdle(self)
    case .handOver(let connection, let waiter):
      waiter(.connection(connection))
    case .letOpen(let waiter):
      waiter(.mustOpen)
    case .close(let connection):
      retire(connection)
    case .closeLast(let connection, let closers):
      if let connection { retire(connection) }
      for closer in closers { closer(.allReturned) }
    case .notifyAllReturned(let waiters):
      for waiter in waiters { waiter(.allReturned) }
    }
  }

  /// Stops the statements that run on any of the connections, which fail with `SQLITE_INTERRUPT`.
  func interrupt() {
    guard process.isCurrent else { return }
    // Under the lock, because a connection can be closed only after it has left `borrowed`.
    state.withLock { state in
      for connection in state.borrowed {
        sqlite3_interrupt(connection.database.sqliteConnection)
      }
    }
  }

  /// Runs `body` with each idle connection.
  func forEachIdle(_ body: (Database) -> Void) {
    var connections: [PooledConnection] = []
    while let connection = state.withLock({ $0.lendIdle() }) {
      connections.append(connection)
      connection.access(.read, body)
    }
    for connection in connections { release(connection) }
  }
}
