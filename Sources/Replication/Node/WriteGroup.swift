internal import Dispatch
internal import Storage
internal import WellspringSystem

/// Commits concurrent writes together, so that they cost one append to the log.
///
/// The writes that wait when the transaction of a write ends become parts of that transaction, each
/// in a savepoint of its own. So a write that fails undoes its own changes only, and the group has
/// one entry in the log and one commit in the file.
final class WriteGroup: Sendable {
  private struct State {
    var waiting = FIFO<WriteJob>()
    /// Whether a thread leads a group, or is about to.
    var isLed = false
  }

  // Guards the writes that wait. Closures and waits are outside it.
  private let state = Lock(State())
  private let node: Node
  /// Leads the groups that begin with a write that no thread waits for.
  private let queue = DispatchQueue(label: "wellspring.replication.writes")

  init(_ node: Node) { self.node = node }

  /// Runs a write, which the calling thread waits for.
  func run(_ updates: (Database) throws -> Void) throws -> WriteReceipt {
    // The error of the pool names the mistake.
    if node.pool.lentWriter != nil { try node.pool.write { _ in } }
    return try withoutActuallyEscaping(updates) { updates in
      let job = WriteJob(onThisThread: updates)
      if case .lead = enter(job) { job.lead() }
      return try job.wait { self.lead(job) }.get()
    }
  }

  /// Runs a write without blocking the calling thread.
  func run(
    _ updates: @escaping @Sendable (Database) throws -> Void
  ) async throws -> WriteReceipt {
    let (results, continuation) = AsyncStream.makeStream(of: Result<WriteReceipt, any Error>.self)
    let job = WriteJob(updates) { result in
      continuation.yield(result)
      continuation.finish()
    }
    return try await withTaskCancellationHandler {
      switch enter(job) {
      case .lead: queue.async { self.lead(job) }
      case .wait: break
      case .cancelled: throw CancellationError()
      }
      // The stream must not end with the task: a write that has begun ends by itself.
      return try await Task {
        for await result in results { return try result.get() }
        throw CancellationError()
      }.value
    } onCancel: {
      cancel(job)
    }
  }

  // MARK: The line

  private enum Place {
    case lead
    case wait
    case cancelled
  }

  private func enter(_ job: WriteJob) -> Place {
    state.withLock { state in
      if job.isCancelled { return .cancelled }
      guard state.isLed else {
        state.isLed = true
        return .lead
      }
      state.waiting.append(job)
      return .wait
    }
  }

  /// Removes a write that has not begun.
  private func cancel(_ job: WriteJob) {
    let isRemoved = state.withLock { state in
      job.isCancelled = true
      return state.waiting.removeFirst { $0 === job } != nil
    }
    if isRemoved { job.end(.failure(CancellationError())) }
  }

  private func takeNext() -> WriteJob? {
    state.withLock { $0.waiting.popFirst() }
  }

  /// Runs a group that begins with a write, and lets the next write lead.
  private func lead(_ first: WriteJob) {
    var members: [WriteJob] = []
    var errors: [ObjectIdentifier: any Error] = [:]
    let result = Result {
      try node.pool.writeWithoutTransaction { db in
        try node.checkMayWrite()
        do {
          try db.inTransaction(.immediate) {
            try runMembers(first, db, &members, &errors)
            return .commit
          }
        } catch {
          throw node.recorder.error(after: error)
        }
        return node.receipt
      }
    }
    passOn()
    if case .failure(let error) = result, members.isEmpty { return first.end(.failure(error)) }
    for member in members {
      member.end(errors[ObjectIdentifier(member)].map { .failure($0) } ?? result)
    }
  }

  private func runMembers(
    _ first: WriteJob,
    _ db: Database,
    _ members: inout [WriteJob],
    _ errors: inout [ObjectIdentifier: any Error]
  ) throws {
    // The transaction is its own, so its errors undo everything.
    try first.run(db)
    members = [first]
    guard let writer = node.pool.lentWriter else { return }
    // An error that only the commit finds would concern all members.
    while members.count < node.options.largestGroup, db.isInsideTransaction,
      !db.hasUnresolvedForeignKeys, !db.hasTransactionObservers, let next = takeNext()
    {
      members.append(next)
      do {
        try db.inSavepoint {
          try next.run(in: db, lending: writer)
          if db.hasUnresolvedForeignKeys { throw Self.foreignKeyError }
          return .commit
        }
      } catch {
        errors[ObjectIdentifier(next)] = error
        if !db.isInsideTransaction { throw ReplicationError.groupWasUndone }
      }
    }
  }

  private func passOn() {
    let next = state.withLock { state -> WriteJob? in
      let next = state.waiting.popFirst()
      if next == nil { state.isLed = false }
      return next
    }
    guard let next else { return }
    switch next.caller {
    case .thread: next.lead()
    case .task: queue.async { self.lead(next) }
    }
  }

  private static var foreignKeyError: DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY,
      message: "FOREIGN KEY constraint failed"
    )
  }
}
