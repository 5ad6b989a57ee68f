import Recording
import Storage
import Testing
import TestSupport

@testable import Replication

/// Recorded transactions on their way through a log with faults: the copy has exactly a beginning
/// of the history, or the fault has a name.
@Suite struct FaultyHistoryTests {
  /// A fault of one entry.
  enum Fault: CaseIterable, Sendable {
    case lost
    case doubled
    case reordered
    case cut
    case flippedBit

    func reading(_ random: inout SeededGenerator, _ byteCount: Int) -> LogFaults.Reading {
      switch self {
      case .lost: .lost
      case .doubled: .doubled
      case .reordered: .reordered
      case .cut: .cut(count: random.number(below: byteCount))
      case .flippedBit: .flippedBit(random.number(below: byteCount * 8))
      }
    }
  }

  /// A database with a recorded history, which a log has.
  private struct Source {
    let pair: RecordedPair
    let log = MemoryLog()
    let begin: History
    /// The content after each entry, by its position.
    private(set) var contents: [LogPosition: DatabaseContent] = [:]
    private var primacy: Primacy
    private var sent = 0

    static let schema = """
      CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, u UNIQUE, b);
      CREATE TABLE k (a, b, v, PRIMARY KEY (a, b)) WITHOUT ROWID;
      """
    static let statements = [
      "INSERT INTO t (u, b) VALUES ('a', 1), ('b', x'00ff')",
      "UPDATE t SET b = 2 WHERE u = 'a'",
      "INSERT INTO k VALUES (1, 1, 'k'), (1, 2, 'l')",
      "CREATE INDEX i ON t (b)",
      "REPLACE INTO t (u, b) VALUES ('b', 3)",
      "INSERT INTO t (b) VALUES (randomblob(900))",
      "DELETE FROM k WHERE b = 1",
      "ALTER TABLE k ADD COLUMN w DEFAULT 7",
      "INSERT INTO t (u) SELECT v FROM k",
    ]

    init() throws {
      pair = try RecordedPair(Self.schema)
      begin = try beginHistory(in: log)
      // Some transactions come in parts.
      primacy = try wonPrimacy(of: log, after: begin, partLimit: 200)
      contents[begin.last.position] = try pair.primary.read(DatabaseContent.init)
      contents[primacy.last.position] = contents[begin.last.position]
      for sql in Self.statements {
        try pair.run(sql)
        try append()
      }
    }

    /// Appends the transactions that were recorded since the last call.
    private mutating func append() throws {
      for transaction in pair.transactions[sent...] {
        let before = primacy.last.position
        let place = try primacy.commit(transaction.encoded())
        // Parts that are not complete change nothing.
        var position = before.next
        while position < place.position {
          contents[position] = contents[before]
          position = position.next
        }
        contents[place.position] = try pair.primary.read(DatabaseContent.init)
      }
      sent = pair.transactions.count
    }

    /// A copy of the beginning.
    func copy() throws -> DatabaseQueue {
      let copy = try DatabaseQueue()
      try copy.write { try $0.execute(sql: Self.schema) }
      return copy
    }
  }

  /// Repeats the entries that a follower reads, until there are no more entries or an error.
  private static func follow(
    _ follower: inout LogFollower,
    on copy: DatabaseQueue
  ) throws -> ReplicationError? {
    while true {
      let before = follower.history.last.position
      let steps: [LogFollower.Step]
      do throws(ReplicationError) {
        steps = try follower.next(limit: 4, waitingUpTo: .zero)
      } catch {
        return error
      }
      let transactions = try steps.filter { $0.entry.kind == .commits }
        .flatMap { try EntryBatch.decode($0.entry.body).transactions }
        .map { try RecordedTransaction(decoding: $0) }
      try copy.write { try Applier().apply(transactions, in: $0) }
      // A pack of parts alone has no step.
      if steps.isEmpty, follower.history.last.position == before { return nil }
    }
  }

  @Test(arguments: Fault.allCases)
  func `an entry that stays wrong is no wrong row, and its error has a name`(fault: Fault) throws {
    let source = try Source()
    let tail = try source.log.tail()
    let whole = try #require(source.contents[tail])
    let sizes = try source.log.allEntries().map(\.bytes.count)
    var random = SeededGenerator(seed: 5)
    #expect(tail.sequence > 12)
    var position = source.begin.last.position.next
    while position <= tail {
      for _ in 0..<Soak.size(200, inSuite: 3) {
        let log = MemoryLog(sharing: source.log)
        let reading = fault.reading(&random, sizes[Int(position.sequence) - 1])
        log.faults.reading[position] = reading
        let copy = try source.copy()
        var follower = LogFollower(log, from: source.begin.last)
        let error = try Self.follow(&follower, on: copy)
        let content = try copy.read(DatabaseContent.init)
        let place = follower.history.last.position
        #expect(source.contents[place] == content, "\(reading) at \(position): \(place)")
        switch (fault, error) {
        case (.doubled, nil), (.reordered, nil), (.lost, nil):
          // A reader that has all entries before the last one is like a reader that waits for the
          // last one.
          let isWaiting = fault == .lost && position == tail
          #expect(place == tail || isWaiting, "\(reading) at \(position)")
          #expect(content == whole || isWaiting)
        case (.lost, .logLost(position)), (.reordered, .logLost(position)): break
        case (.cut, .history(.damaged(position, _))): break
        case (.flippedBit, .history(.damaged(position, _))): break
        default: Issue.record("\(reading) at \(position) ended in \(String(describing: error))")
        }
        // When the fault is over, the same reader continues.
        log.faults.reading = [:]
        #expect(try Self.follow(&follower, on: copy) == nil)
        #expect(try copy.read(DatabaseContent.init) == whole)
      }
      position = position.next
    }
  }

  @Test func `faults of several entries at a time are no wrong row`() throws {
    let source = try Source()
    let entries = try source.log.allEntries()
    let whole = try #require(source.contents[try source.log.tail()])
    var random = SeededGenerator(seed: 11)
    for _ in 0..<Soak.size(5000, inSuite: 30) {
      let log = MemoryLog(sharing: source.log)
      for entry in entries.dropFirst() where random.chance(30) {
        log.faults.reading[entry.position] = random.pick(from: Fault.allCases)
          .reading(&random, entry.bytes.count)
      }
      let copy = try source.copy()
      var follower = LogFollower(log, from: source.begin.last)
      for _ in 0..<3 {
        _ = try Self.follow(&follower, on: copy)
        let content = try copy.read(DatabaseContent.init)
        #expect(source.contents[follower.history.last.position] == content, "\(log.faults)")
        // Some faults are over.
        let faulty = log.faults.reading.keys.sorted()
        for position in faulty where random.chance(50) { log.faults.reading[position] = nil }
      }
      log.faults.reading = [:]
      #expect(try Self.follow(&follower, on: copy) == nil)
      #expect(try copy.read(DatabaseContent.init) == whole)
    }
  }

  /// A fault of an append, and whether the log has the entry afterwards.
  @Test(arguments: [
    (LogFaults.Appending.answerLost, true), (.requestLost, false), (.late, true),
    (.otherAnswer(.appended(LogPosition(999))), true),
    (.otherAnswer(.conflict(tail: LogPosition(1))), true), (.otherAnswer(.unknown("?")), true),
  ])
  func `an append that is answered wrongly ends the primacy, and its entry is there once or never`(
    fault: LogFaults.Appending,
    isStored: Bool
  ) throws {
    // In turn, each append is answered wrongly.
    for wrong in 0..<Source.statements.count {
      let pair = try RecordedPair(Source.schema)
      let log = MemoryLog()
      let begin = try beginHistory(in: log)
      var primacy = try wonPrimacy(of: log, after: begin)
      for (number, sql) in Source.statements.enumerated() {
        try pair.run(sql)
        let bytes = try #require(pair.transactions.last).encoded()
        guard number == wrong else {
          _ = try primacy.commit(bytes)
          continue
        }
        let position = primacy.last.position.next
        log.faults.appending = [fault]
        let error = #expect(throws: ReplicationError.self) { try primacy.commit(bytes) }
        #expect(!primacy.isHeld)
        #expect(throws: ReplicationError.notPrimary(address: nil)) { try primacy.commit(bytes) }
        switch error {
        case .outcomeUnknown(let token): #expect(token.sequence == position.sequence)
        case .notPrimary: break
        default: Issue.record("\(fault) threw \(String(describing: error))")
        }
        // It reads from the log whether the entry is there, and becomes the primary again.
        var follower = LogFollower(log, from: begin.last)
        var found = try follower.nextTransactions()
        let isThere = found.last == bytes
        #expect(isThere == isStored)
        primacy = try wonPrimacy(of: log, after: follower.history)
        if !isThere {
          _ = try primacy.commit(bytes)
          found += try follower.nextTransactions()
        }
        #expect(found.filter { $0 == bytes }.count == 1)
      }
      let copy = try DatabaseQueue()
      try copy.write { try $0.execute(sql: Source.schema) }
      var follower = LogFollower(MemoryLog(sharing: log), from: begin.last)
      #expect(try Self.follow(&follower, on: copy) == nil)
      let contents = try [pair.primary, copy].map { try $0.read(DatabaseContent.init) }
      #expect(contents[0].differences(from: contents[1]) == [])
    }
  }

  @Test func `an entry that the log forgets after its answer is noticed at the next one`() throws {
    let log = MemoryLog()
    let begin = try beginHistory(in: log)
    var primacy = try wonPrimacy(of: log, after: begin)
    _ = try primacy.commit([1])
    log.faults.appending = [.forgotten]
    let place = try primacy.commit([2])
    #expect(throws: ReplicationError.notPrimary(address: nil)) { try primacy.commit([3]) }
    // The node's file has the place of the entry that is gone.
    var follower = LogFollower(log, from: place)
    #expect(throws: ReplicationError.logLost(from: place.position)) {
      try follower.next(limit: 9, waitingUpTo: .zero)
    }
    #expect(throws: ReplicationError.logLost(from: place.position)) { try follower.checkLast() }
  }
}
