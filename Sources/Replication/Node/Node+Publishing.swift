internal import Dispatch
internal import Foundation
internal import Storage
internal import WellspringPlatform

/// Writing commits into the log after they are in the file: ``ReplicationPromise/local``.
extension Node {
  /// How many commits, and how many bytes of them, one entry contains at most.
  private static let packedCommits = 256
  private static let packedBytes = 400_000

  /// Starts the thread that publishes commits. A snapshot, or the time before the node was opened,
  /// may leave commits to publish to a node that promises more.
  func startPublishing() {
    Thread.detachNewThread { [self] in
      while !isClosed {
        // Commits that could not be published are tried again.
        let pause = state.withLock { $0.outbox } > 0 ? 100 : 1_000
        _ = outboxChanged.wait(timeout: .now() + .milliseconds(pause))
        do {
          while try publish() {}
        } catch {
          // The primacy is over, or the log is away.
          note(error, isOfLog: false)
        }
      }
      didEndPublishing.signal()
    }
  }

  /// Publishes the first commits of the outbox, if the node is the primary.
  ///
  /// - Returns: Whether there may be more.
  /// - Throws: ``ReplicationError``, or `DatabaseError`.
  func publish() throws -> Bool {
    publishing.wait()
    defer { publishing.signal() }
    guard state.withLock({ $0.isPrimary && !$0.isClosed && $0.outbox > 0 }) else { return false }
    let commits = try pool.read { db in
      try Outbox.first(count: Self.packedCommits, bytes: Self.packedBytes, db)
    }
    guard let last = commits.last else { return false }
    let place = try appending { primacy in
      if let reason = last.snapshotReason {
        return try primacy.append(
          .snapshotNeeded,
          body: Array(reason.utf8),
          commits: 1,
          fingerprint: last.fingerprint,
          time: Node.now
        )
      }
      return try primacy.append(
        .commits,
        body: EntryBatch(transactions: commits.map(\.body)).encoded(),
        commits: Int64(commits.count),
        fingerprint: last.fingerprint,
        time: Node.now
      )
    }
    do {
      try withoutRecording { file in
        try file.write { db in
          try Outbox.remove(through: last.number, db)
          try ReplicationTable.write(place, db)
          return .commit
        }
        // No commit ends meanwhile, because this access holds the writer.
        let count = try Outbox.count(file.db)
        update { $0.outbox = count }
      }
    } catch {
      // The file must read the entry before anything follows it.
      stepDown()
      if case ReplicationError.foreignWrite = error { noteForeignWrite() }
      throw error
    }
    update { state in
      state.place = place
      state.time = Node.now
      if last.snapshotReason != nil { state.neededSnapshot = place.position }
    }
    if last.snapshotReason != nil { wakeUp.signal() }
    return true
  }

  /// Publishes all commits that are in the file now.
  ///
  /// - Returns: A token that contains them.
  func publishNow() throws -> WriteToken {
    while try publish() {}
    guard try pool.read(Outbox.count) == 0 else { throw refusal }
    return token
  }

  /// Publishes all commits that are in the file now, on another thread.
  func publishAll() async throws -> WriteToken {
    try await Promise.value { promise in
      DispatchQueue.global().async { promise.fulfil(Result { try self.publishNow() }) }
    }.get()
  }

  /// Writes the commits that a failover has discarded to a file beside the node's.
  func surfaceDiscardedCommits() throws {
    let commits = try pool.read(Outbox.all)
    guard !commits.isEmpty else { return }
    let path = "\(pool.path)-discarded-\(Node.now).txt"
    var text = ""
    for commit in commits {
      text += "commit \(commit.number)\n" + commit.rowsBefore
      guard let transaction = try? RecordedTransaction(decoding: commit.body) else { continue }
      text += transaction.items.map { "  \($0.text)\n" }.joined()
    }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    update { $0.discardedCommits = path }
  }
}
