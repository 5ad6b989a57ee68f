internal import Dispatch
internal import Foundation
internal import Storage
internal import WellspringSystem

/// Ending a primacy so that another node need not wait for an election timeout.
extension Node {
  /// The body of the heartbeat with which a primary ends its epoch. Other heartbeats have an empty
  /// body.
  private static let farewell: [UInt8] = [1]

  /// Whether an entry says that its primary writes nothing more.
  static func isFarewell(_ entry: Entry) -> Bool {
    entry.kind == .heartbeat && entry.body == farewell
  }

  /// Ends the primacy by an entry, after which another node claims the next epoch.
  ///
  /// - Throws: ``ReplicationError``. The node is a replica then too, unless the log does not have
  ///   all commits of the file.
  func resign() throws {
    // No commit ends meanwhile, because this access holds the writer.
    try pool.writeWithoutTransaction { db in
      try checkMayWrite()
      // Another node would discard them.
      guard try Outbox.count(db) == 0 else { throw ReplicationError.outboxIsFull }
      update { $0.machine.resign() }
      defer { stepDown() }
      let place = try appending { primacy in
        let place = try primacy.append(
          .heartbeat,
          body: Self.farewell,
          fingerprint: primacy.fingerprint,
          time: Node.now
        )
        primacy.end()
        return place
      }
      noteHeartbeat(place)
    }
  }

  /// Resigns once the log has all commits. It blocks the calling thread.
  func handOver() throws {
    for _ in 0..<10 {
      if options.promise == .local { _ = try waitForLog(receipt) }
      do {
        return try resign()
      } catch ReplicationError.outboxIsFull {
        // Commits have come in between.
        continue
      }
    }
    throw ReplicationError.outboxIsFull
  }

  /// Resigns on another thread, once the log has all commits.
  func handOver() async throws {
    try await Promise<Result<Void, any Error>>.value { promise in
      Thread.detachNewThread { promise.fulfil(Result { try self.handOver() as Void }) }
    }.get()
  }

  /// Resigns before the node is closed, if it is the primary and the log answers soon.
  ///
  /// - Returns: Waits for the end of the attempt, which closing the log ends.
  func handOverBeforeClosing() -> () -> Void {
    guard state.withLock({ $0.mayWrite }) else { return {} }
    let isDone = MonotonicSemaphore()
    // A thread instead of a task: tasks may need the calling thread.
    Thread.detachNewThread {
      try? self.handOver()
      isDone.signal()
    }
    if isDone.wait(for: .seconds(1)) { return {} }
    return { isDone.wait() }
  }
}
