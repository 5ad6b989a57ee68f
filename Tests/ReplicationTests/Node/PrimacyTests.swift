import Testing

@testable import Replication

@Suite struct PrimacyTests {
  @Test func `what a primary appends is what a follower reads`() throws {
    let log = ScriptedLog()
    let begin = try beginHistory(in: log)
    var primacy = try wonPrimacy(of: log, after: begin)
    _ = try primacy.commit([1], [2])
    let last = try primacy.commit([3])
    var follower = LogFollower(log, from: begin.last)
    #expect(try follower.nextTransactions() == [[1], [2], [3]])
    #expect(follower.history.last == last)
  }

  @Test func `of five candidates one wins each epoch`() throws {
    let log = ScriptedLog()
    var history = try beginHistory(in: log)
    for epoch in 1...200 {
      var winners: [Primacy] = []
      for candidate in 0..<5 {
        let claim = try Primacy.claim(
          log,
          after: history,
          EpochClaim(address: "\(candidate)"),
          fingerprint: [],
          time: 0
        )
        if case .won(let primacy) = claim { winners.append(primacy) }
      }
      #expect(winners.count == 1)
      #expect(winners.first?.last.epoch == Int64(epoch))
      var follower = LogFollower(log, from: history.last)
      _ = try follower.next(limit: 10, waitingUpTo: .zero)
      history = follower.history
    }
  }

  @Test func `a claim whose answer was lost is won`() throws {
    let log = ScriptedLog()
    let history = try beginHistory(in: log)
    log.failAppends([.answerLost])
    let primacy = try wonPrimacy(of: log, after: history)
    #expect(primacy.last.position == log.kept.last?.position)
    #expect(log.kept.count == 2)
  }

  @Test func `a claim that was never stored is made again`() throws {
    let log = ScriptedLog()
    let history = try beginHistory(in: log)
    log.failAppends([.neverStored, .neverStored])
    _ = try wonPrimacy(of: log, after: history)
    #expect(log.kept.count == 2)
  }

  @Test func `a claim of the same address by another node is lost`() throws {
    let log = ScriptedLog()
    let history = try beginHistory(in: log)
    _ = try wonPrimacy(of: log, after: history)
    #expect(throws: LostClaim.self) { try wonPrimacy(of: log, after: history) }
  }

  @Test func `a claim that the log never answers throws`() throws {
    let log = ScriptedLog()
    let history = try beginHistory(in: log)
    log.failAppends([.neverStored, .neverStored, .neverStored])
    #expect(throws: ReplicationError.log(.unavailable("no answer"))) {
      try wonPrimacy(of: log, after: history)
    }
  }

  @Test func `primary paused, another takes over, it wakes: its first append throws`() throws {
    let log = ScriptedLog()
    let begin = try beginHistory(in: log)
    var paused = try wonPrimacy(of: log, after: begin)
    _ = try paused.commit([1])
    var follower = LogFollower(log, from: begin.last)
    _ = try follower.next(limit: 10, waitingUpTo: .zero)
    var other = try wonPrimacy(of: log, after: follower.history)
    _ = try other.commit([2])
    let count = log.kept.count
    for _ in 0..<3 {
      #expect(throws: ReplicationError.notPrimary(address: nil)) { try paused.commit([9]) }
    }
    #expect(!paused.isHeld)
    #expect(log.kept.count == count)
    #expect(try follower.nextTransactions() == [[2]])
  }

  @Test(arguments: [true, false])
  func `an unknown outcome ends the primacy, whether the log has the entry or not`(
    isStored: Bool
  ) throws {
    let log = ScriptedLog()
    let begin = try beginHistory(in: log)
    var primacy = try wonPrimacy(of: log, after: begin)
    log.failAppends([isStored ? .answerLost : .neverStored])
    let token = WriteToken(epoch: 1, sequence: 3)
    #expect(throws: ReplicationError.outcomeUnknown(token)) { try primacy.commit([1]) }
    #expect(throws: ReplicationError.notPrimary(address: nil)) { try primacy.commit([2]) }
    var follower = LogFollower(log, from: begin.last)
    #expect(try follower.nextTransactions() == (isStored ? [[1]] : []))
  }

  @Test func `a log that refuses an entry leaves the primary in office`() throws {
    let log = ScriptedLog()
    let begin = try beginHistory(in: log)
    var primacy = try wonPrimacy(of: log, after: begin)
    log.failAppends([.refused(.full("2 GB"))])
    #expect(throws: ReplicationError.log(.full("2 GB"))) { try primacy.commit([1]) }
    _ = try primacy.commit([2])
    var follower = LogFollower(log, from: begin.last)
    #expect(try follower.nextTransactions() == [[2]])
  }

  @Test func `a large body comes in parts, and is one step`() throws {
    let log = ScriptedLog()
    let begin = try beginHistory(in: log)
    var primacy = try wonPrimacy(of: log, after: begin, partLimit: 100)
    let large = [UInt8](repeating: 7, count: 1_000)
    _ = try primacy.commit(large)
    _ = try primacy.commit([1])
    #expect(log.kept.count == 2 + 11 + 1)
    var follower = LogFollower(log, from: begin.last)
    #expect(try follower.nextTransactions() == [large, [1]])
  }

  @Test(arguments: [
    ScriptedLog.AppendFault.refused(.full("")), .answerLost, .neverStored, .overtaken([1]),
  ])
  func `parts that stop in the middle end the primacy, and are in no file`(
    fault: ScriptedLog.AppendFault
  ) throws {
    let log = ScriptedLog()
    let begin = try beginHistory(in: log)
    var primacy = try wonPrimacy(of: log, after: begin, partLimit: 100)
    log.failAppends([nil, fault])
    #expect(throws: ReplicationError.self) {
      try primacy.commit([UInt8](repeating: 7, count: 1_000))
    }
    #expect(!primacy.isHeld)
    guard case .overtaken = fault else {
      var follower = LogFollower(log, from: begin.last)
      #expect(try follower.nextTransactions() == [])
      var next = try wonPrimacy(of: log, after: follower.history)
      _ = try next.commit([1])
      #expect(try follower.nextTransactions() == [[1]])
      return
    }
  }
}
