internal import WellspringPlatform

extension EtcdLog {
  /// How many entries one request reads: etcd's answer holds up to 1.5 MB for each.
  private static let batch = 64

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
      if let watch, watch.isUsable {
        let silence = MonotonicClock.now + client.timeouts.silence.nanoseconds
        let found = try watch.entries(
          after: position,
          limit: limit,
          until: min(deadline, silence),
          log: self
        )
        watch.isSilent = found.isEmpty && MonotonicClock.now >= silence
        if !found.isEmpty { return found }
      }
      // A watch of a member without a majority is silent for ever, so its silence means nothing.
      let (found, revision) = try stored(after: position, limit: limit)
      if !found.isEmpty {
        if watch?.isSilent == true {
          if let watch { client.leave(watch.endpoint) }
          watch = nil
        }
        watch?.skip(to: found[found.count - 1].position)
        return found
      }
      if MonotonicClock.now >= deadline { return [] }
      if watch?.isUsable != true {
        watch = try EtcdWatch(log: self, after: position, revision: revision)
      }
    }
  }

  /// Reads entries, and checks that they go on where the reader is.
  private func stored(
    after position: LogPosition,
    limit: Int
  ) throws(ReplicationLogError) -> (entries: [LogEntry], revision: Int64) {
    let answer = try read([
      keys.range(from: position.next, limit: max(1, min(limit, Self.batch))),
      keys.tailRange,
      keys.range(from: LogPosition(1), limit: 1, keysOnly: true),
    ])
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
    return (entries, revision)
  }
}
