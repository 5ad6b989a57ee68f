/// The check that entries continue one history, and the collection of parts.
///
/// It is pure: it knows no log, no database and no clock. An entry that does not fit throws and
/// leaves the history as it was, so that the reader may ask the log again.
struct History: Hashable, Sendable {
  /// The meaning of an entry for the file.
  enum Step: Hashable, Sendable {
    /// The node has had this entry before.
    case known
    /// The entry is one of several parts, and its transactions come later.
    case incomplete
    /// The entry is complete. Its body has the content of all parts.
    case next(Entry)
  }

  /// The last entry that was accepted, parts included.
  private(set) var last: HistoryPosition
  /// The bodies of the parts so far, of a large entry that is not complete.
  private var parts: [[UInt8]] = []

  init(_ place: HistoryPosition) { last = place }

  /// Whether a large entry has begun and is not complete.
  var isInsideParts: Bool { !parts.isEmpty }

  /// Accepts an entry of the log.
  ///
  /// - Throws: ``HistoryError``, and accepts nothing then.
  mutating func accept(_ logged: LogEntry) throws(HistoryError) -> Step {
    let position = logged.position
    let (entry, hash) = try Self.decode(logged)
    if position <= last.position {
      // A log may repeat earlier entries. Only the last entry can be compared; the entries before
      // it are in its hash.
      guard position < last.position || hash == last.hash else { throw .replaced(position) }
      return .known
    }
    guard position == last.position.next else {
      throw .missing(last.position.next, found: position)
    }
    guard entry.database == last.database else {
      throw .foreignDatabase(position, entry.database)
    }
    guard entry.previous == last.hash else { throw .brokenChain(position) }
    try checkEpoch(entry, position)
    let step = try follow(entry, position)
    last.position = position
    last.hash = hash
    last.epoch = entry.epoch
    if case .next = step { last.commit = entry.commit }
    return step
  }

  /// The place before the first entry of a log, which must be a genesis.
  ///
  /// - Throws: ``HistoryError`` if the log begins with something else.
  static func genesis(_ first: LogEntry) throws(HistoryError) -> History {
    let (entry, hash) = try decode(first)
    guard first.position == .start.next else {
      throw .missing(.start.next, found: first.position)
    }
    guard entry.kind == .genesis, entry.previous == .none else {
      throw .brokenChain(first.position)
    }
    return History(
      HistoryPosition(
        database: entry.database,
        position: first.position,
        epoch: entry.epoch,
        commit: entry.commit,
        hash: hash
      )
    )
  }

  static func decode(
    _ logged: LogEntry
  ) throws(HistoryError) -> (entry: Entry, hash: EntryHash) {
    do throws(EntryError) {
      return try Entry.decode(logged.bytes)
    } catch {
      throw .damaged(logged.position, error)
    }
  }

  private func checkEpoch(_ entry: Entry, _ position: LogPosition) throws(HistoryError) {
    let begins = entry.kind == .epoch || entry.kind == .survivor
    let expected = begins ? last.epoch + 1 : last.epoch
    // The file of a survivor may know epochs that the log has lost.
    guard entry.epoch == expected || entry.kind == .survivor && entry.epoch > expected else {
      throw .wrongEpoch(position, entry.epoch, expected: expected)
    }
  }

  private mutating func follow(
    _ entry: Entry,
    _ position: LogPosition
  ) throws(HistoryError) -> Step {
    switch entry.kind {
    case .genesis:
      throw .brokenChain(position)
    case .epoch:
      // A primary that ended between two parts has not committed them.
      try checkCommit(entry, position, 0)
      parts = []
      return .next(entry)
    case .survivor:
      guard entry.commit >= last.commit else {
        throw .wrongCommit(position, entry.commit, expected: last.commit)
      }
      parts = []
      return .next(entry)
    case .heartbeat:
      guard parts.isEmpty else { throw .wrongPart(position) }
      try checkCommit(entry, position, 0)
      return .next(entry)
    case .snapshotNeeded:
      guard parts.isEmpty else { throw .wrongPart(position) }
      try checkCommit(entry, position, 1)
      return .next(entry)
    case .commits, .schema:
      guard parts.isEmpty else { throw .wrongPart(position) }
      try checkBatch(entry, position)
      return .next(entry)
    case .part(let index, let count):
      guard Int(index) == parts.count else { throw .wrongPart(position) }
      guard index + 1 == count else {
        parts.append(entry.body)
        return .incomplete
      }
      var whole = entry
      whole.kind = .commits
      whole.body = Array(parts.joined()) + entry.body
      try checkBatch(whole, position)
      parts = []
      return .next(whole)
    }
  }

  private func checkBatch(_ entry: Entry, _ position: LogPosition) throws(HistoryError) {
    let batch: EntryBatch
    do throws(EntryError) {
      batch = try EntryBatch.decode(entry.body)
    } catch {
      throw .damaged(position, error)
    }
    try checkCommit(entry, position, Int64(batch.transactions.count))
  }

  private func checkCommit(
    _ entry: Entry,
    _ position: LogPosition,
    _ count: Int64
  ) throws(HistoryError) {
    let (expected, overflows) = last.commit.addingReportingOverflow(count)
    guard !overflows, entry.commit == expected else {
      throw .wrongCommit(position, entry.commit, expected: expected)
    }
  }
}
