internal import WellspringSystem

extension EtcdLog {
  /// Returns the entries after a position, in order and without gaps.
  ///
  /// - Parameters:
  ///   - position: The last entry that the reader has.
  ///   - limit: The largest number of entries.
  ///   - timeout: How long to wait for the first entry.
  /// - Returns: The entries, or none if the time is over.
  /// - Throws: ``ReplicationLogError``.
  public func entries(
    after position: LogPosition,
    limit: Int,
    waitingUpTo timeout: Duration
  ) throws(ReplicationLogError) -> [LogEntry] {
    let deadline = MonotonicClock.now + timeout.nanoseconds
    if client.isClosed { throw .closed }
    var watch = takeWatch()
    defer { if let watch, watch.isUsable { keep(watch) } }
    while true {
      // Entries that are in the store already need no wait.
      if let watch, watch.isUsable, !watch.isBehind {
        let silence = MonotonicClock.now + client.timeouts.silence.nanoseconds
        let found = try watch.entries(
          after: position,
          limit: limit,
          until: min(deadline, silence, watch.patienceEnd ?? .max),
          log: self
        )
        if !found.isEmpty { return found }
      }
      if let late = watch, let end = late.patienceEnd, MonotonicClock.now >= end {
        client.leave(late.endpoint)
        watch = nil
      }
      // A watch of a member without a majority is silent for ever, so its silence means nothing.
      let found = try storedReadingAhead(after: position, limit: limit)
      if let last = found.entries.last {
        watch?.skip(to: last.position, hasMore: found.hasMore)
        return found.entries
      }
      if MonotonicClock.now >= deadline { return [] }
      if watch?.isUsable != true {
        if let ended = watch {
          watch = nil
          if let pause = pace({ $0.pause(afterWatchThatLasted: ended.hasLasted) }) {
            // The store is asked from time to time, while watches are refused.
            try client.rest(until: min(deadline, MonotonicClock.now + pause))
            if MonotonicClock.now < deadline { continue }
            return try stored(after: position, limit: limit).entries
          }
        }
        watch = try EtcdWatch(log: self, after: position, revision: found.revision)
      }
    }
  }

  /// Reads entries, and checks that they continue at the place of the reader.
  func stored(
    after position: LogPosition,
    limit: Int
  ) throws(ReplicationLogError) -> StoredEntries {
    let (batch, isBehind) = pace { ($0.batch, $0.isBehind) }
    let count = max(1, min(limit, batch))
    let start = MonotonicClock.now
    let answer: EtcdTransaction
    do throws(ReplicationLogError) {
      answer = try read(
        [
          keys.range(from: position.next, limit: count),
          keys.tailRange,
          keys.range(from: LogPosition(1), limit: 1, keysOnly: true),
        ],
        triesGRPC: isBehind
      )
    } catch {
      if case .unavailable = error { pace { $0.noteFailure() } }
      throw error
    }
    let time = MonotonicClock.now - start
    let bytes = answer.pairs(0).reduce(0) { $0 + ($1.value?.count ?? 0) }
    let found = answer.pairs(0).count
    pace { $0.noteAnswer(of: found, bytes: bytes, isFull: found >= count, after: time) }
    let tail = try tail(in: answer.pairs(1))
    note(tail)
    guard tail.position >= position else { throw .lost(tail: tail.position) }
    let first = answer.pairs(2).first.flatMap { keys.position($0.key) }
    if tail.position > position, let first, first > position.next { throw .trimmed(first: first) }
    var entries: [LogEntry] = []
    for pair in answer.pairs(0) {
      let entry = try entry(pair)
      let expected = LogPosition(position.sequence + Int64(entries.count) + 1)
      guard entry.position == expected else {
        throw .unexpected("entry \(expected) is missing in the log.")
      }
      entries.append(entry)
    }
    guard !entries.isEmpty || tail.position == position else {
      throw .unexpected("entry \(position.next) is missing in the log.")
    }
    guard let revision = answer.header.revision.flatMap({ Int64($0) }) else {
      throw .unexpected("etcd does not say its revision.")
    }
    return StoredEntries(entries: entries, revision: revision, tail: tail.position)
  }
}
