internal import Dispatch
internal import Foundation
internal import Recording
internal import Storage
internal import WellspringSystem

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
        let pause = Duration.milliseconds(state.withLock { $0.outbox } > 0 ? 100 : 1_000)
        _ = outboxChanged.wait(for: pause)
        do {
          while try publish() {}
        } catch {
          // The primacy is over, or the log is away. The node then reads the log.
          if !(error is ReplicationError) { note(error, isOfLog: false) }
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
    guard state.withLock({ $0.mayWrite && $0.outbox > 0 }) else { return false }
    let commits = try pool.read { db in
      try Outbox.first(count: Self.packedCommits, bytes: Self.packedBytes, db)
    }
    guard let last = commits.last else { return false }
    let place = try appending(through: last.number) { primacy in
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
        let (count, numbers) = (try Outbox.count(file.db), try Outbox.numbers(file.db))
        update { state in
          state.outbox = count
          // The answer to a caller has a token that contains its commit.
          state.noteCommit(place)
          state.time = Node.now
          state.fate.remove(allBut: numbers, at: place.token)
        }
      }
    } catch {
      // The file must read the entry before anything follows it.
      stepDown()
      if case ReplicationError.foreignWrite = error { noteForeignWrite() }
      throw error
    }
    if last.snapshotReason != nil {
      update { $0.neededSnapshot = place.position }
      wakeUp.signal()
    }
    return true
  }

  /// Waits until the log has a write, whose thread may be blocked.
  ///
  /// - Returns: The token of the write, whatever has followed it meanwhile.
  /// - Throws: ``ReplicationError/notLogged(_:)`` if the log has not taken it,
  ///   ``ReplicationError/discardedCommits`` if it will never be there.
  func waitForLog(_ receipt: WriteReceipt) throws -> WriteToken {
    // Guards the answer, until the thread takes it.
    let answer = Lock(Result<WriteToken, ReplicationError>.failure(.closed))
    let hasAnswer = DispatchSemaphore(value: 0)
    waitForLog(receipt) { result in
      answer.withLock { $0 = result }
      hasAnswer.signal()
    }
    hasAnswer.wait()
    return receipt.token(containing: try answer.withLock { $0 }.get())
  }

  /// Waits until the log has a write.
  ///
  /// - Returns: The result of the other method.
  /// - Throws: The errors of the other method.
  func waitForLog(_ receipt: WriteReceipt) async throws -> WriteToken {
    let token = try await Promise<Result<WriteToken, ReplicationError>>.value { promise in
      waitForLog(receipt) { promise.fulfil($0) }
    }.get()
    return receipt.token(containing: token)
  }

  private func waitForLog(
    _ receipt: WriteReceipt,
    _ finish: @escaping @Sendable (Result<WriteToken, ReplicationError>) -> Void
  ) {
    let (result, waiter) = state.withLock {
      state -> (Result<WriteToken, ReplicationError>?, UInt64) in
      if let result = state.fate.result(of: receipt.outboxNumber) { return (result, 0) }
      if let ending = state.ending { return (.failure(.notLogged("\(ending)")), 0) }
      return (nil, state.fate.wait(.init(number: receipt.outboxNumber, finish: finish)))
    }
    if let result { return finish(result) }
    outboxChanged.signal()
    let limit = Int(clamping: options.longestOutboxTime.nanoseconds)
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(limit)) { [weak self] in
      guard let waiter = self?.state.withLock({ $0.fate.take(waiter) }) else { return }
      waiter.finish(.failure(.notLogged("the log has not taken it in time.")))
    }
  }

  /// Answers the callers that wait until the log has their commits, when the log has failed.
  ///
  /// - Parameters:
  ///   - reason: Why.
  ///   - number: The last commit that the log was asked to take.
  func failLogWaits(_ reason: String, through number: Int64) {
    let finished = state.withLock { $0.fate.takeFinished(.notLogged(reason), through: number) }
    for (waiter, result) in finished { waiter.finish(result) }
  }

  /// Writes the commits that a failover has discarded to a file beside the node's.
  func surfaceDiscardedCommits() throws {
    let lastForeign = state.withLock { $0.lastForeignCommit }
    // Commits that came with a snapshot are in the file of the node that has made it.
    let commits = try pool.read(Outbox.all).filter { $0.number > lastForeign }
    guard !commits.isEmpty else { return }
    let path = "\(pool.path)-discarded-\(Node.now).txt"
    var text = ""
    for (index, commit) in commits.enumerated() {
      text += "commit \(index + 1)\n" + commit.rowsBefore
      guard let transaction = try? RecordedTransaction(decoding: commit.body) else { continue }
      text += transaction.items.map { "  \($0.text)\n" }.joined()
    }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    update { $0.discardedCommits = path }
  }
}
