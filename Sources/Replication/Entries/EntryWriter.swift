/// Makes the entries of a primary: each one follows the one before.
struct EntryWriter: Sendable {
  /// The size from which a body is divided.
  static let partByteCount = 512_000

  /// The entry that the next one follows.
  private(set) var last: HistoryPosition
  /// The largest body of one entry.
  let partLimit: Int

  init(after place: HistoryPosition, partLimit: Int = EntryWriter.partByteCount) {
    precondition(partLimit > 0, "A part has at least one byte.")
    last = place
    self.partLimit = partLimit
  }

  /// Makes the first entry of a history.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - fingerprint: The schema of the file.
  ///   - content: Why other files need a snapshot; `nil` if they begin empty, like this one.
  ///   - time: The time of the node's clock, in milliseconds since 1970.
  /// - Returns: The bytes of the entry, and the place after it.
  static func genesis(
    _ database: DatabaseID,
    fingerprint: [UInt8],
    content: String? = nil,
    time: Int64
  ) -> (bytes: [UInt8], place: HistoryPosition) {
    let entry = Entry(
      database: database,
      epoch: 0,
      commit: 0,
      previous: .none,
      fingerprint: fingerprint,
      time: time,
      kind: .genesis,
      body: Array((content ?? "").utf8)
    )
    let (bytes, hash) = entry.encoded()
    let place = HistoryPosition(
      database: database,
      position: .start.next,
      epoch: 0,
      commit: 0,
      hash: hash
    )
    return (bytes, place)
  }

  /// Makes the entries of a step, more than one when the body is large.
  ///
  /// - Parameters:
  ///   - kind: The kind; parts are made of ``Entry/Kind/commits`` only.
  ///   - body: The whole body.
  ///   - commits: How many commits the step contains.
  ///   - fingerprint: The schema after the step.
  ///   - time: The time of the primary's clock, in milliseconds since 1970.
  /// - Returns: The bytes of each entry, and the place after it.
  func entries(
    _ kind: Entry.Kind,
    body: [UInt8] = [],
    commits: Int64 = 0,
    fingerprint: [UInt8],
    time: Int64
  ) -> [(bytes: [UInt8], place: HistoryPosition)] {
    let isDivided = body.count > partLimit && (kind == .commits || kind == .schema)
    let count = isDivided ? (body.count + partLimit - 1) / partLimit : 1
    var place = last
    if kind == .epoch { place.epoch += 1 }
    return (0..<count).map { index in
      let isLast = index == count - 1
      let start = index * partLimit
      let entry = Entry(
        database: place.database,
        epoch: place.epoch,
        commit: last.commit + commits,
        previous: place.hash,
        fingerprint: fingerprint,
        time: time,
        kind: isDivided ? .part(index: UInt32(index), count: UInt32(count)) : kind,
        body: isDivided ? Array(body[start..<min(start + partLimit, body.count)]) : body
      )
      let (bytes, hash) = entry.encoded()
      place.position = place.position.next
      place.hash = hash
      if isLast { place.commit = last.commit + commits }
      return (bytes, place)
    }
  }

  /// Makes the entry that continues the history with the file of a survivor, whose place may be
  /// ahead of the log, or behind it.
  func survivor(
    at place: HistoryPosition,
    body: [UInt8],
    fingerprint: [UInt8],
    time: Int64
  ) -> (bytes: [UInt8], place: HistoryPosition) {
    var next = last
    next.epoch = max(last.epoch, place.epoch) + 1
    next.commit = max(last.commit, place.commit)
    let entry = Entry(
      database: last.database,
      epoch: next.epoch,
      commit: next.commit,
      previous: last.hash,
      fingerprint: fingerprint,
      time: time,
      kind: .survivor,
      body: body
    )
    let (bytes, hash) = entry.encoded()
    next.position = last.position.next
    next.hash = hash
    return (bytes, next)
  }

  /// Continues after an entry that is in the log.
  mutating func advance(to place: HistoryPosition) { last = place }
}
