internal import CWellspringSQLite
internal import Dispatch
internal import WellspringPlatform

/// Hands out connections of one kind to sync and async code, first come first served.
final class ConnectionQueue: Sendable {
  /// What a waiter is told.
  enum Grant: Sendable {
    case connection(Connection)
    case mustOpen
    /// Nobody has a connection: what those wait for who close the queue, or hold a barrier.
    case allReturned
    case closed
    case cancelled
  }

  typealias Waiter = @Sendable (Grant) -> Void

  struct State {
    var machine: Machine
    /// The connections in use, to find accesses inside of accesses. They are few.
    var borrowed: [Connection] = []
    /// The connections in use that nobody shall use again.
    var stale: Set<ObjectIdentifier> = []
    /// Counts how often the file was replaced.
    var epoch = 0
    /// Connections that could not be closed, because somebody holds statements of theirs.
    var unclosed: [Connection] = []

    /// The connection of the access that the calling thread is in.
    var currentConnection: Connection? { borrowed.first(where: \.isUsedByCurrentThread) }

    /// Lends a connection when one is free at once.
    mutating func lendIdle() -> Connection? {
      guard let connection = machine.acquireIfIdle() else { return nil }
      borrowed.append(connection)
      return connection
    }

    /// Lends a connection when nobody need be waited for.
    mutating func lendFree() -> Machine.AcquireDecision? {
      let decision = machine.acquireIfFree()
      if case .use(let connection) = decision { borrowed.append(connection) }
      return decision
    }

    /// Lends a connection, or has `waiter` wait for one.
    mutating func lend(_ waiter: @escaping Waiter) -> Machine.AcquireDecision {
      let decision = machine.acquire { _ in waiter }
      if case .use(let connection) = decision { borrowed.append(connection) }
      return decision
    }

    /// Takes a connection back, and lends it to the first who waits.
    ///
    /// - Returns: `nil` for a connection that the caller has to close.
    mutating func takeBack(_ connection: Connection) -> Machine.ReleaseDecision? {
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

  typealias Machine = ConnectionQueueStateMachine<Connection, Waiter>

  // Guards who has which connection. Waiters are called, and connections opened, outside of it.
  let state: Lock<State>
  private let open: @Sendable () throws -> Connection
  let process = ProcessIdentity()
  /// Called when a connection came back and nobody waits for it.
  private let didIdle: @Sendable (ConnectionQueue) -> Void

  /// Makes a queue that opens up to `capacity` connections when they are needed, beside those that
  /// are open already.
  init(
    capacity: Int,
    idle: [Connection] = [],
    open: @escaping @Sendable () throws -> Connection,
    didIdle: @escaping @Sendable (ConnectionQueue) -> Void = { _ in }
  ) {
    state = Lock(State(machine: Machine(capacity: capacity, idle: idle)))
    self.open = open
    self.didIdle = didIdle
  }

  /// Whether the calling thread is in an access to one of the connections.
  var isUsedByCurrentThread: Bool {
    currentConnection != nil
  }

  /// The connection of the access that the calling thread is in.
  var currentConnection: Connection? {
    guard process.isCurrent else { return nil }
    return state.withLock { $0.currentConnection }
  }

  /// The labels of the connections that are in use.
  var labelsInUse: [String] { state.withLock { $0.borrowed.map(\.label).sorted() } }

  // MARK: Sync

  /// Runs `body` with a connection on the calling thread, which waits until there is one.
  func access<Result>(
    _ kind: Database.Access,
    _ body: (Database) throws -> Result
  ) throws -> Result {
    let connection = try acquire()
    defer { release(connection) }
    return try connection.access(kind, body)
  }

  /// Runs `body` with a connection when one is free at once, and returns `nil` otherwise.
  func accessIfIdle<Result>(
    _ kind: Database.Access,
    _ body: (Database) throws -> Result
  ) rethrows -> Result? {
    guard process.isCurrent else { return nil }
    guard let connection = state.withLock({ $0.lendIdle() }) else { return nil }
    defer { release(connection) }
    return try connection.access(kind, body)
  }

  /// Runs `body` with a connection when nobody need be waited for, and returns `nil` otherwise. It opens one
  /// if it has to.
  func accessIfFree<Result>(
    _ kind: Database.Access,
    _ body: (Database) throws -> Result
  ) throws -> Result? {
    guard process.isCurrent else { return nil }
    let connection: Connection
    switch state.withLock({ $0.lendFree() }) {
    case .use(let idle): connection = idle
    case .open: connection = try openConnection()
    default: return nil
    }
    defer { release(connection) }
    return try connection.access(kind, body)
  }

  private func acquire() throws -> Connection {
    guard process.isCurrent else { throw DatabaseError.usedAfterFork }
    // Most of the time nobody waits: one look under the lock then is all.
    let (isReentrant, idle) = state.withLock { state in
      state.currentConnection != nil ? (true, nil) : (false, state.lendIdle())
    }
    precondition(
      !isReentrant,
      """
      A database was accessed inside of another access to it, which would wait for itself. Use the \
      `db` of the outer access, or call after it has ended.
      """
    )
    return try idle ?? waitForConnection()
  }

  private func waitForConnection() throws -> Connection {
    let semaphore = DispatchSemaphore(value: 0)
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
      throw DatabaseError.databaseIsClosed
    case .wait:
      semaphore.wait()
      switch grant.withLock({ $0 }) {
      case .connection(let connection): return connection
      case .mustOpen: return try openConnection()
      case .closed, .cancelled, .allReturned, nil: throw DatabaseError.databaseIsClosed
      }
    }
  }

  // MARK: Opening and releasing

  func openConnection() throws -> Connection {
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
        // It may have opened the file that was there before.
        connection.database.close()
      }
    } catch {
      carryOut(state.withLock { $0.machine.connectionDidVanish() })
      throw error
    }
  }

  func release(_ connection: Connection) {
    guard process.isCurrent else { return }
    if let decision = state.withLock({ $0.takeBack(connection) }) { return carryOut(decision) }
    connection.database.close()
    carryOut(state.withLock { $0.machine.connectionDidVanish() })
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
    case .tellAllReturned(let waiters):
      for waiter in waiters { waiter(.allReturned) }
    }
  }

  /// Stops the statements that run on any of the connections, which fail with `SQLITE_INTERRUPT`.
  func interrupt() {
    guard process.isCurrent else { return }
    // Under the lock: nobody closes a connection that is in use.
    state.withLock { state in
      for connection in state.borrowed {
        sqlite3_interrupt(connection.database.sqliteConnection)
      }
    }
  }

  /// Runs `body` for each connection that nobody uses.
  func forEachIdle(_ body: (Database) -> Void) {
    var connections: [Connection] = []
    while let connection = state.withLock({ $0.lendIdle() }) {
      connections.append(connection)
      connection.access(.read, body)
    }
    for connection in connections { release(connection) }
  }
}
