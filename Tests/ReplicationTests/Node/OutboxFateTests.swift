import Testing

@testable import Replication

@Suite struct OutboxFateTests {
  private func at(_ sequence: Int64) -> WriteToken { WriteToken(epoch: 1, sequence: sequence) }

  @Test func `the log has what the outbox no longer has`() {
    var fate = OutboxFate(3...4, at: at(10))
    #expect(fate.result(of: 2) == .success(at(10)))
    #expect(fate.result(of: 3) == nil)
    fate.add(5)
    fate.remove(allBut: 4...5, at: at(11))
    #expect(fate.result(of: 3) == .success(at(11)))
    #expect(fate.result(of: 4) == nil)
    fate.remove(allBut: nil, at: at(12))
    #expect(fate.result(of: 5) == .success(at(12)))
    #expect(fate.result(of: 6) == nil)
  }

  @Test func `a commit has the token of its entry, whatever has followed`() {
    var fate = OutboxFate(1...6, at: at(10))
    fate.remove(through: 2, at: at(11))
    fate.remove(through: 3, at: at(14))
    fate.remove(allBut: 6...6, at: at(20))
    fate.remove(allBut: 6...6, at: at(21))
    #expect(
      (0...6).map { try? fate.result(of: $0)?.get().sequence } == [10, 11, 11, 14, 20, 20, nil]
    )
  }

  @Test func `a commit that many entries have followed has the token of a later one`() throws {
    var fate = OutboxFate(nil, at: at(0))
    for number in 1...1000 as ClosedRange<Int64> {
      fate.add(number)
      fate.remove(through: number, at: at(number))
    }
    #expect(fate.result(of: 1000) == .success(at(1000)))
    let early = try #require(try fate.result(of: 1)?.get())
    #expect(early.sequence > 1)
    #expect(fate.result(of: early.sequence) == .success(early))
  }

  @Test func `a snapshot discards what the log does not have, and nothing else`() {
    var fate = OutboxFate(1...4, at: at(10))
    fate.remove(allBut: 3...4, at: at(12))
    // The snapshot has commits of another node, with numbers of its own.
    fate.replace(by: 1...2, at: at(30))
    #expect(fate.result(of: 2) == .success(at(12)))
    #expect(fate.result(of: 3) == .failure(.discardedCommits))
    #expect(fate.result(of: 4) == .failure(.discardedCommits))
    fate.add(fate.last + 1)
    #expect(fate.last == 5)
    fate.remove(allBut: 2...5, at: at(31))
    #expect(fate.result(of: 5) == nil)
    fate.remove(allBut: nil, at: at(32))
    #expect(fate.result(of: 5) == .success(at(32)))
    #expect(fate.result(of: 4) == .failure(.discardedCommits))
  }

  // An append that has failed says nothing about later commits.
  @Test func `a failure answers the callers of the commits that the log did not take`() {
    var fate = OutboxFate(1...3, at: at(10))
    _ = fate.wait(.init(number: 1) { _ in })
    _ = fate.wait(.init(number: 2) { _ in })
    _ = fate.wait(.init(number: 3) { _ in })
    let failed = fate.takeFinished(.notLogged("full"), through: 2).map(\.0.number).sorted()
    #expect(failed == [1, 2])
    let others = fate.takeFinished(.closed).map(\.0.number)
    #expect(others == [3])
  }
}
