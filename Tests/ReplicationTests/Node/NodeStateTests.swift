import Testing

@testable import Replication

@Suite struct NodeStateTests {
  private func place(_ sequence: Int64) -> HistoryPosition {
    HistoryPosition(
      database: DatabaseID(),
      position: LogPosition(sequence),
      epoch: 1,
      commit: 0,
      hash: .none
    )
  }

  @Test func `heartbeats that come before the end of a commit count with it`() {
    var state = NodeState(place: place(5), epochs: EpochBeginnings(), primaryAddress: nil)
    state.noteHeartbeat(place(6))
    #expect(state.place.position == LogPosition(6))
    // The log has the commit 7, and SQLite is about to commit it.
    state.noteHeartbeat(place(8))
    state.noteHeartbeat(place(9))
    #expect(state.place.position == LogPosition(6))
    state.noteCommit(place(7))
    #expect(state.place.position == LogPosition(9))
    state.noteHeartbeat(place(10))
    #expect(state.place.position == LogPosition(10))
    state.noteCommit(place(11))
    #expect(state.place.position == LogPosition(11))
  }
}
