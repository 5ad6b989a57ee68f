import Testing

@testable import Replication

/// Which events a change of a node's state makes.
@Suite struct NodeMilestonesTests {
  private static let follower: NodeMilestones = {
    var state = NodeMilestones()
    (state.isConnected, state.epoch, state.primaryAddress) = (true, 3, "a")
    return state
  }()

  private struct Case: CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (inout NodeMilestones) -> Void
    let events: [ReplicationEvent.Kind]
  }

  private static let cases = [
    Case(testDescription: "nothing", change: { _ in }, events: []),
    Case(
      testDescription: "the primacy",
      change: { ($0.role, $0.epoch, $0.primaryAddress) = (.primary, 4, "b") },
      events: [.becamePrimary(epoch: 4)]
    ),
    Case(
      testDescription: "another primary",
      change: { ($0.epoch, $0.primaryAddress) = (5, "c") },
      events: [.follows(address: "c", epoch: 5)]
    ),
    Case(
      testDescription: "a lost connection, with its error",
      change: { ($0.isConnected, $0.errorNumber, $0.lastError) = (false, 1, "no answer") },
      events: [.disconnected("no answer")]
    ),
    Case(
      testDescription: "an error",
      change: { ($0.errorNumber, $0.lastError) = (1, "the disk is full") },
      events: [.failed("the disk is full")]
    ),
    Case(
      testDescription: "an error of the log that answers",
      change: { ($0.errorNumber, $0.lastError, $0.isErrorOfLog) = (1, "too large", true) },
      events: [.failed("too large")]
    ),
    Case(
      testDescription: "damage, with its error",
      change: {
        ($0.damage, $0.errorNumber, $0.lastError) = (.foreignWrite, 1, "another process")
      },
      events: [.needsSnapshot(.foreignWrite)]
    ),
    Case(
      testDescription: "a snapshot of a new epoch that ends the damage",
      change: { ($0.takenSnapshot, $0.epoch, $0.primaryAddress) = (LogPosition(9), 6, "d") },
      events: [.tookSnapshot(LogPosition(9)), .follows(address: "d", epoch: 6)]
    ),
    Case(
      testDescription: "discarded commits",
      change: { $0.discardedCommits = "/file" },
      events: [.discardedCommits(path: "/file")]
    ),
    Case(
      testDescription: "a copy, which is in the last error too",
      change: { ($0.keptCopy, $0.errorNumber, $0.lastError) = ("/copy", 1, "the copy is /copy") },
      events: [.keptCopy(path: "/copy")]
    ),
    Case(
      testDescription: "the end, with its error",
      change: {
        ($0.role, $0.errorNumber, $0.lastError) = (.stopped(.notReplicated), 1, "not replicated")
      },
      events: [.stopped(.notReplicated)]
    ),
  ]

  @Test(arguments: cases)
  private func `a change makes its events`(change: Case) {
    var state = Self.follower
    change.change(&state)
    #expect(state.events(since: Self.follower) == change.events)
  }

  @Test func `a primary that loses the log ends its primacy, and then follows`() {
    var primary = Self.follower
    primary.role = .primary
    var silent = primary
    (silent.isConnected, silent.role, silent.primaryAddress) = (false, .replica, nil)
    (silent.errorNumber, silent.lastError) = (1, "silence")
    #expect(silent.events(since: primary) == [.disconnected("silence"), .endedPrimacy(epoch: 3)])
    var again = silent
    (again.isConnected, again.epoch, again.primaryAddress) = (true, 4, "b")
    #expect(again.events(since: silent) == [.connected, .follows(address: "b", epoch: 4)])
  }

  @Test func `while the log does not answer, its errors are no further events`() {
    var silent = Self.follower
    (silent.isConnected, silent.errorNumber, silent.lastError) = (false, 1, "http://a: no answer")
    silent.isErrorOfLog = true
    var next = silent
    (next.errorNumber, next.lastError) = (2, "http://b: no answer")
    #expect(next.events(since: silent) == [])
    (next.lastError, next.isErrorOfLog) = ("the disk is full", false)
    #expect(next.events(since: silent) == [.failed("the disk is full")])
  }

  @Test func `each event has a sentence for a log`() {
    let kinds: [ReplicationEvent.Kind] = [
      .becamePrimary(epoch: 7), .endedPrimacy(epoch: 7), .follows(address: "", epoch: 8),
      .follows(address: "http://b", epoch: 8), .connected, .disconnected("silence"),
      .needsSnapshot(.foreignWrite), .tookSnapshot(LogPosition(5)), .madeSnapshot(LogPosition(6)),
      .discardedCommits(path: "/d"), .keptCopy(path: "/k"), .failed("full"),
      .stopped(.notReplicated),
    ]
    let texts = kinds.map { ReplicationEvent(number: 1, time: 0, kind: $0).description }
    #expect(
      texts == [
        "epoch 7: this node is the primary", "epoch 7: this node is not the primary any more",
        "epoch 8: the primary is another node", "epoch 8: the primary is http://b",
        "the log answers", "the log does not answer: silence",
        "the file must be replaced by a snapshot: \(ReplicationError.foreignWrite)",
        "the file was replaced by the snapshot of entry 5", "a snapshot was made of entry 6",
        "a failover has discarded commits, which are in /d",
        "a copy of what only this file had is /k", "failed: full",
        "the node has stopped following: \(ReplicationError.notReplicated)",
      ]
    )
  }
}
