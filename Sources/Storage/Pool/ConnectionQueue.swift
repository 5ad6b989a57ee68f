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

  private struct State {
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

  private typealias Machine = ConnectionQueueStateMachine<Connection, Waiter>

  // Guards who has which connection. Waiters are called, and connections opened, outside of it.
  private let state: Lock<State>
  private let open: @Sendable () throws -> Connection
  private let process = ProcessIdentity()
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

  // MARK: Async

  /// Runs `body` with a connection on the connection's own dispatch queue. The cancellation takes the
  /// access out of the queue, or stops it.
  func access<Result: Sendable>(
    _ kind: Database.Access,
    _ cancellation: AccessCancellation,
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        submit(kind, cancellation, body) { continuation.resume(with: $0) }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// The same for code that is not async. The completion is called once, on any thread.
  func submit<Result: Sendable>(
    _ kind: Database.Access,
    _ cancellation: AccessCancellation = AccessCancellation(),
    _ body: @escaping @Sendable (Database) throws -> Result,
    completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    guard process.isCurrent else { return completion(.failure(DatabaseError.usedAfterFork)) }
    let run: Waiter = { self.run(kind, $0, cancellation, body, completion) }
    let decision = state.withLock { $0.lend(run) }
    switch decision {
    case .use(let connection):
      run(.connection(connection))
    case .open:
      run(.mustOpen)
    case .fail:
      run(.closed)
    case .wait(let id):
      let isWaiting = cancellation.wait { self.giveUp(id) }
      if !isWaiting { giveUp(id) }
    }
  }

  private func giveUp(_ id: UInt64) {
    let waiter = state.withLock { $0.machine.cancel(id) }
    waiter?(.cancelled)
  }

  private func run<Result: Sendable>(
    _ kind: Database.Access,
    _ grant: Grant,
    _ cancellation: AccessCancellation,
    _ body: @escaping @Sendable (Database) throws -> Result,
    _ completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    switch grant {
    case .cancelled:
      completion(.failure(CancellationError()))
    case .closed, .allReturned:
      completion(.failure(DatabaseError.databaseIsClosed))
    case .mustOpen:
      // Opening blocks too.
      DispatchQueue.global().async {
        do {
          let connection = try self.openConnection()
          self.run(kind, .connection(connection), cancellation, body, completion)
        } catch {
          completion(.failure(error))
        }
      }
    case .connection(let connection):
      connection.queue.async {
        let result = Swift.Result {
          guard cancellation.begin(connection) else { throw CancellationError() }
          return try connection.access(kind) { db in
            do {
              let result = try body(db)
              try cancellation.finish()
              return result
            } catch {
              try? cancellation.finish()
              throw error
            }
          }
        }
        self.release(connection)
        completion(result)
      }
    }
  }

  // MARK: Opening, releasing, closing

  private func openConnection() throws -> Connection {
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

  private func release(_ connection: Connection) {
    guard process.isCurrent else { return }
    if let decision = state.withLock({ $0.takeBack(connection) }) { return carryOut(decision) }
    connection.database.close()
    carryOut(state.withLock { $0.machine.connectionDidVanish() })
  }

  private func carryOut(_ decision: Machine.ReleaseDecision) {
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

  // MARK: Barriers

  /// Waits until nobody has a connection, and gives nobody one while `body` runs.
  ///
  /// - Parameters:
  ///   - deadline: How long to wait for that.
  ///   - mustGiveUp: Asked once in a while, when it takes long.
  ///   - body: Told whether nobody has a connection.
  /// - Returns: What `body` returns.
  func withBarrier<Result>(
    deadline: DispatchTime = .distantFuture,
    mustGiveUp: () -> Bool = { false },
    _ body: (_ allReturned: Bool) throws -> Result
  ) rethrows -> Result {
    let semaphore = DispatchSemaphore(value: 0)
    var allReturned = state.withLock { $0.machine.beginBarrier { _ in semaphore.signal() } }
    defer {
      let decisions = state.withLock { state in
        let decisions = state.machine.endBarrier()
        for case .handOver(let connection, _) in decisions { state.borrowed.append(connection) }
        return decisions
      }
      for decision in decisions { carryOut(decision) }
    }
    while !allReturned, DispatchTime.now() < deadline, !mustGiveUp() {
      allReturned = semaphore.wait(timeout: min(deadline, .now() + 0.02)) == .success
    }
    return try body(allReturned)
  }

  // MARK: Closing

  /// Closes the connections that nobody uses. They are opened again when they are needed.
  func closeIdle() {
    guard process.isCurrent else { return }
    for connection in state.withLock({ $0.machine.takeIdle() }) { connection.database.close() }
  }

  /// Closes all connections as soon as nobody uses them: their file is not the file any more.
  func replaceAll() {
    let idle = state.withLock { state in
      state.stale.formUnion(state.borrowed.map(ObjectIdentifier.init))
      state.epoch += 1
      return state.machine.takeIdle()
    }
    for connection in idle { connection.database.close() }
  }

  /// Lets nobody in from now on, and closes each connection as soon as nobody uses it.
  ///
  /// - Parameter waits: Whether to wait for that.
  /// - Throws: ``DatabaseError`` with `SQLITE_BUSY` when somebody holds statements of a connection, which
  ///   stays open then. The next call tries again.
  func close(waits: Bool) throws {
    // In a child process, the connections belong to the parent.
    guard process.isCurrent else { return }
    let semaphore = DispatchSemaphore(value: 0)
    let (idle, waiters, isDone) = state.withLock { state in
      state.machine.close { _ in semaphore.signal() }
    }
    for waiter in waiters { waiter(.closed) }
    for connection in idle { retire(connection) }
    if waits, !isDone { semaphore.wait() }
    let remaining = state.withLock { state in
      defer { state.unclosed.removeAll() }
      return state.unclosed
    }
    for connection in remaining { retire(connection) }
    let reports = state.withLock { $0.unclosed }.map(\.database.unclosedReport)
    guard reports.isEmpty else {
      throw DatabaseError(
        resultCode: .SQLITE_BUSY,
        message: reports.joined(separator: "; ")
      )
    }
  }

  /// Closes a connection, or keeps it when that cannot be done yet.
  private func retire(_ connection: Connection) {
    if connection.database.tryToClose() { return }
    state.withLock { $0.unclosed.append(connection) }
  }
}
