internal import Dispatch
internal import Storage
internal import WellspringSystem

/// A write that waits for its turn in a group.
final class WriteJob: @unchecked Sendable {
  /// The next step of a caller that waits for its write.
  enum Message {
    /// Run the closure on the lent connection.
    case run(LentWriter)
    /// Lead the next group.
    case lead
    /// The write has ended.
    case end(Result<WriteReceipt, any Error>)
  }

  /// How a write is notified of its turn and of its end.
  enum Caller {
    /// A thread waits for the write, and runs the closure itself.
    case thread(DispatchSemaphore)
    /// The thread that leads the group runs the closure.
    case task(@Sendable (Result<WriteReceipt, any Error>) -> Void)
  }

  // Safe to share: the closure runs on the thread of its caller, or is sendable, and the messages
  // have a lock.
  private var updates: ((Database) throws -> Void)?
  let caller: Caller
  /// Whether the task of the caller was cancelled. The lock of the group guards it.
  var isCancelled = false
  // Guards the next step of the caller.
  private let message = Lock(Message?.none)
  private let didRun = DispatchSemaphore(value: 0)
  private var error: (any Error)?

  /// Makes a write that the calling thread waits for.
  init(onThisThread updates: @escaping (Database) throws -> Void) {
    self.updates = updates
    caller = .thread(DispatchSemaphore(value: 0))
  }

  /// Makes a write that no thread waits for.
  init(
    _ updates: @escaping @Sendable (Database) throws -> Void,
    completion: @escaping @Sendable (Result<WriteReceipt, any Error>) -> Void
  ) {
    self.updates = updates
    caller = .task(completion)
  }

  // MARK: On the thread that leads

  /// Runs the closure as a part of the running write, on the thread of the caller.
  func run(in db: Database, lending writer: LentWriter?) throws {
    guard case .thread(let turn) = caller, let writer else { return try run(db) }
    message.withLock { $0 = .run(writer) }
    turn.signal()
    didRun.wait()
    if let error { throw error }
  }

  /// Runs the closure on the calling thread.
  func run(_ db: Database) throws { try updates?(db) }

  /// Ends the write.
  func end(_ result: Result<WriteReceipt, any Error>) {
    switch caller {
    case .task(let completion): completion(result)
    case .thread(let turn):
      message.withLock { $0 = .end(result) }
      turn.signal()
    }
  }

  /// Makes the thread of the caller lead the next group.
  func lead() {
    guard case .thread(let turn) = caller else { return }
    message.withLock { $0 = .lead }
    turn.signal()
  }

  // MARK: On the thread of the caller

  /// Waits for the end of the write, and runs the closure when it is its turn.
  ///
  /// - Parameter lead: Leads a group that begins with this write.
  /// - Returns: The result of the write.
  func wait(_ lead: () -> Void) -> Result<WriteReceipt, any Error> {
    guard case .thread(let turn) = caller else { preconditionFailure("No thread waits.") }
    while true {
      turn.wait()
      switch message.withLock({ $0 }) {
      case .end(let result):
        // The leader of the group may still hold the write, and the closure does not live longer.
        updates = nil
        return result
      case .lead: lead()
      case .run(let writer):
        do {
          try writer.use { try run($0) }
        } catch {
          self.error = error
        }
        didRun.signal()
      case nil: break
      }
    }
  }
}
