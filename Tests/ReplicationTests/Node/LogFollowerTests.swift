import Testing

@testable import Replication

@Suite struct LogFollowerTests {
  @Test func `an answer that is wrong once is asked for again`() throws {
    let faults: [@Sendable ([LogEntry]) -> [LogEntry]] = [
      { Array($0.dropFirst()) },
      { $0.flatMap { [$0, $0] } },
      { $0.reversed() },
      { $0.map { LogEntry(position: $0.position, bytes: Array($0.bytes.dropLast(5))) } },
      { $0.map { LogEntry(position: $0.position, bytes: flipped($0.bytes)) } },
      { _ in [LogEntry(position: .start.next.next, bytes: [1, 2, 3])] },
    ]
    for fault in faults {
      let (log, begin) = try sample()
      log.changeReads([fault])
      var follower = LogFollower(log, from: begin.last)
      var read = try follower.nextTransactions()
      read += try follower.nextTransactions()
      #expect(read == [[1], [2], [3]])
    }
  }

  @Test func `an entry that stays lost is a log that was lost`() throws {
    let (log, begin) = try sample()
    log.changeReads(Array(repeating: { Array($0.dropFirst()) }, count: 3))
    var follower = LogFollower(log, from: begin.last)
    #expect(throws: ReplicationError.logLost(from: begin.last.position.next)) {
      try follower.next(limit: 10, waitingUpTo: .zero)
    }
  }

  @Test func `an entry that stays damaged is an error with its position`() throws {
    let (log, begin) = try sample()
    let position = begin.last.position.next
    log.changeReads(
      Array(
        repeating: { $0.map { LogEntry(position: $0.position, bytes: flipped($0.bytes)) } },
        count: 3
      )
    )
    var follower = LogFollower(log, from: begin.last)
    #expect(throws: ReplicationError.history(.damaged(position, .wrongChecksum))) {
      try follower.next(limit: 10, waitingUpTo: .zero)
    }
    #expect(try follower.nextTransactions() == [[1], [2], [3]])
  }

  @Test func `a log that goes backwards stops the follower`() throws {
    let (log, begin) = try sample()
    var follower = LogFollower(log, from: begin.last)
    _ = try follower.nextTransactions()
    log.lose(after: LogPosition(3))
    #expect(throws: ReplicationError.logLost(from: LogPosition(4))) {
      try follower.next(limit: 10, waitingUpTo: .zero)
    }
  }

  @Test func `a log that goes backwards and is written again stops the follower`() throws {
    let (log, begin) = try sample()
    var follower = LogFollower(log, from: begin.last)
    _ = try follower.nextTransactions()
    log.lose(after: LogPosition(3))
    var other = LogFollower(log, from: begin.last)
    _ = try other.nextTransactions()
    var primacy = try wonPrimacy(of: log, after: other.history)
    for number in 1...3 { _ = try primacy.commit([UInt8(number)]) }
    #expect(throws: ReplicationError.history(.brokenChain(LogPosition(6)))) {
      try follower.next(limit: 10, waitingUpTo: .zero)
    }
  }

  @Test func `a log that was lost and written again to the same length is noticed at the start`()
    throws
  {
    let (log, begin) = try sample()
    var follower = LogFollower(log, from: begin.last)
    _ = try follower.nextTransactions()
    try follower.checkLast()
    log.lose(after: LogPosition(4))
    #expect(throws: ReplicationError.logLost(from: LogPosition(5))) { try follower.checkLast() }
    var other = LogFollower(log, from: begin.last)
    _ = try other.nextTransactions()
    _ = try wonPrimacy(of: log, after: other.history)
    #expect(try follower.nextTransactions() == [])
    #expect(throws: ReplicationError.history(.replaced(LogPosition(5)))) {
      try follower.checkLast()
    }
  }

  @Test func `a last entry that was trimmed is no error`() throws {
    let (log, begin) = try sample()
    try log.trim(below: LogPosition(4))
    var follower = LogFollower(log, from: begin.last)
    try follower.checkLast()
  }

  @Test func `a follower that is behind a trimmed log needs a snapshot`() throws {
    let (log, begin) = try sample()
    try log.trim(below: LogPosition(4))
    var follower = LogFollower(log, from: begin.last)
    #expect(throws: ReplicationError.snapshotNeeded(after: begin.last.position)) {
      try follower.next(limit: 10, waitingUpTo: .zero)
    }
  }

  @Test func `a log that does not answer is no fault of the history`() throws {
    let (log, begin) = try sample()
    var follower = LogFollower(log, from: begin.last)
    log.changeReads([{ _ in [] }])
    #expect(try follower.nextTransactions() == [])
    #expect(try follower.nextTransactions() == [[1], [2], [3]])
  }

  /// A log with a genesis, an epoch and three commits.
  private func sample() throws -> (ScriptedLog, History) {
    let log = ScriptedLog()
    let begin = try beginHistory(in: log)
    var primacy = try wonPrimacy(of: log, after: begin)
    for number in 1...3 { _ = try primacy.commit([UInt8(number)]) }
    return (log, begin)
  }
}

/// Flips a bit in the middle.
private func flipped(_ bytes: [UInt8]) -> [UInt8] {
  var bytes = bytes
  bytes[bytes.count / 2] ^= 4
  return bytes
}
