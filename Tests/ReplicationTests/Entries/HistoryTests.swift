import Testing

@testable import Replication

@Suite struct HistoryTests {
  @Test func `a history accepts what its writer made`() throws {
    let log = sampleLog()
    var history = try History.genesis(log[0])
    var bodies: [[UInt8]] = []
    for entry in log.dropFirst() {
      if case .next(let entry) = try history.accept(entry), entry.kind == .commits {
        bodies += try EntryBatch.decode(entry.body).transactions
      }
    }
    #expect(bodies == [[1], [2, 2], Array(repeating: 3, count: 25), [4]])
    #expect(history.last.commit == 4)
    #expect(history.last.epoch == 2)
  }

  @Test func `an entry that comes twice is known`() throws {
    let log = sampleLog()
    var history = try History.genesis(log[0])
    for entry in log.dropFirst() {
      _ = try history.accept(entry)
      let before = history
      #expect(try history.accept(entry) == .known)
      #expect(try history.accept(log[0]) == .known)
      #expect(history == before)
    }
  }

  @Test func `a lost entry and a wrong order are errors that leave the history as it was`() throws {
    let log = sampleLog()
    for lost in 1..<(log.count - 1) {
      var history = try History.genesis(log[0])
      for entry in log[1..<lost] { _ = try history.accept(entry) }
      let before = history
      #expect(throws: HistoryError.missing(log[lost].position, found: log[lost + 1].position)) {
        try history.accept(log[lost + 1])
      }
      #expect(history == before)
      for entry in log[lost...] { _ = try history.accept(entry) }
    }
  }

  @Test func `entries that moved up into the place of a lost one break the chain`() throws {
    let log = sampleLog()
    for lost in 1..<(log.count - 1) {
      var history = try History.genesis(log[0])
      for entry in log[1..<lost] { _ = try history.accept(entry) }
      let moved = LogEntry(position: log[lost].position, bytes: log[lost + 1].bytes)
      #expect(throws: HistoryError.brokenChain(moved.position)) { try history.accept(moved) }
    }
  }

  @Test func `an entry that was replaced after it was read is an error`() throws {
    let log = sampleLog()
    var history = try History.genesis(log[0])
    _ = try history.accept(log[1])
    let replaced = LogEntry(position: log[1].position, bytes: log[2].bytes)
    #expect(throws: HistoryError.replaced(log[1].position)) { try history.accept(replaced) }
  }

  @Test func `an entry of another database is an error`() throws {
    let log = sampleLog()
    let other = sampleLog()
    var history = try History.genesis(log[0])
    let id = try History.genesis(other[0]).last.database
    #expect(throws: HistoryError.foreignDatabase(other[1].position, id)) {
      try history.accept(other[1])
    }
  }

  @Test func `after the first entry of an epoch comes none of an earlier one`() throws {
    let log = sampleLog()
    var history = try History.genesis(log[0])
    for entry in log.dropFirst() { _ = try history.accept(entry) }
    var place = history.last
    place.epoch -= 1
    let stale = EntryWriter(after: place).entries(.heartbeat, fingerprint: [], time: 0)[0]
    #expect(
      throws: HistoryError.wrongEpoch(stale.place.position, place.epoch, expected: place.epoch + 1)
    ) {
      try history.accept(LogEntry(position: stale.place.position, bytes: stale.bytes))
    }
  }

  @Test func `a commit number that does not follow is an error`() throws {
    let log = sampleLog()
    var history = try History.genesis(log[0])
    _ = try history.accept(log[1])
    let body = EntryBatch(transactions: [[1]]).encoded()
    let made = EntryWriter(after: history.last)
      .entries(.commits, body: body, commits: 2, fingerprint: [], time: 0)[0]
    #expect(throws: HistoryError.wrongCommit(made.place.position, 2, expected: 1)) {
      try history.accept(LogEntry(position: made.place.position, bytes: made.bytes))
    }
  }

  @Test func `a new epoch discards the parts of a primary that ended between them`() throws {
    var log = Builder(partLimit: 10)
    log.append(.epoch)
    let parts = log.made(.commits, [Array(repeating: 3, count: 25)])
    log.keep(parts[0])
    log.append(.epoch)
    log.append(.commits, [[7]])
    var history = try History.genesis(log.entries[0])
    var steps: [History.Step] = []
    for entry in log.entries.dropFirst() { steps.append(try history.accept(entry)) }
    #expect(steps[1] == .incomplete)
    #expect(!history.isInsideParts)
    #expect(history.last.commit == 1)
  }

  @Test func `a heartbeat between parts is an error`() throws {
    var log = Builder(partLimit: 10)
    log.append(.epoch)
    log.keep(log.made(.commits, [Array(repeating: 3, count: 25)])[0])
    log.append(.heartbeat)
    var history = try History.genesis(log.entries[0])
    for entry in log.entries[1...2] { _ = try history.accept(entry) }
    #expect(throws: HistoryError.wrongPart(log.entries[3].position)) {
      try history.accept(log.entries[3])
    }
  }

  @Test func `bytes that are no entry are an error with their position`() throws {
    var history = try History.genesis(sampleLog()[0])
    let position = history.last.position.next
    #expect(throws: HistoryError.damaged(position, .notAnEntry)) {
      try history.accept(LogEntry(position: position, bytes: Array("hello, world".utf8)))
    }
  }

  /// Genesis, an epoch, two commits, one in parts, a heartbeat, a new epoch and a commit.
  private func sampleLog() -> [LogEntry] {
    var log = Builder(partLimit: 20)
    log.append(.epoch)
    log.append(.commits, [[1], [2, 2]])
    log.append(.commits, [Array(repeating: 3, count: 25)])
    log.append(.heartbeat)
    log.append(.epoch)
    log.append(.commits, [[4]])
    return log.entries
  }

  /// Entries as a primary would append them.
  private struct Builder {
    var writer: EntryWriter
    var entries: [LogEntry]

    init(partLimit: Int) {
      let (bytes, place) = EntryWriter.genesis(DatabaseID(), fingerprint: [1], time: 0)
      writer = EntryWriter(after: place, partLimit: partLimit)
      entries = [LogEntry(position: place.position, bytes: bytes)]
    }

    func made(
      _ kind: Entry.Kind,
      _ transactions: [[UInt8]] = []
    ) -> [(bytes: [UInt8], place: HistoryPosition)] {
      writer.entries(
        kind,
        body: transactions.isEmpty ? [] : EntryBatch(transactions: transactions).encoded(),
        commits: Int64(transactions.count),
        fingerprint: [1],
        time: 0
      )
    }

    mutating func keep(_ entry: (bytes: [UInt8], place: HistoryPosition)) {
      writer.advance(to: entry.place)
      entries.append(LogEntry(position: entry.place.position, bytes: entry.bytes))
    }

    mutating func append(_ kind: Entry.Kind, _ transactions: [[UInt8]] = []) {
      for entry in made(kind, transactions) { keep(entry) }
    }
  }
}
