import Testing

@testable import Replication

@Suite struct OutboxFateTests {
  @Test func `the log has what the outbox no longer has`() {
    var fate = OutboxFate(3...4)
    #expect(fate.result(of: 2) == .success(()))
    #expect(fate.result(of: 3) == nil)
    fate.add(5)
    fate.remove(allBut: 4...5)
    #expect(fate.result(of: 3) == .success(()))
    #expect(fate.result(of: 4) == nil)
    fate.remove(allBut: nil)
    #expect(fate.result(of: 5) == .success(()))
    #expect(fate.result(of: 6) == nil)
  }

  @Test func `a snapshot discards what the log does not have, and nothing else`() {
    var fate = OutboxFate(1...4)
    fate.remove(allBut: 3...4)
    // The snapshot has commits of another node, with numbers of its own.
    fate.replace(by: 1...2)
    #expect(fate.result(of: 2) == .success(()))
    #expect(fate.result(of: 3) == .failure(.discardedCommits))
    #expect(fate.result(of: 4) == .failure(.discardedCommits))
    fate.add(fate.last + 1)
    #expect(fate.last == 5)
    fate.remove(allBut: 2...5)
    #expect(fate.result(of: 5) == nil)
    fate.remove(allBut: nil)
    #expect(fate.result(of: 5) == .success(()))
    #expect(fate.result(of: 4) == .failure(.discardedCommits))
  }
}

extension Result where Success == Void, Failure == ReplicationError {
  fileprivate static func == (left: Result?, right: Result) -> Bool {
    switch (left, right) {
    case (.success?, .success): true
    case (.failure(let left)?, .failure(let right)): left == right
    default: false
    }
  }
}
