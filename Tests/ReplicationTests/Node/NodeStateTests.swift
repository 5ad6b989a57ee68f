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

  @Test func `heartbeats that are read a second time change nothing`() {
    var state = NodeState(place: place(5), epochs: EpochBeginnings(), primaryAddress: nil)
    state.noteRead(heartbeat: place(8), at: 80)
    #expect(state.place.position == LogPosition(8))
    #expect(state.time == 80)
    for sequence in 6...8 {
      state.noteRead(heartbeat: place(Int64(sequence)), at: Int64(sequence * 10))
      #expect(state.place.position == LogPosition(8))
      #expect(state.time == 80)
    }
    state.noteRead(heartbeat: place(9), at: 90)
    #expect(state.place.position == LogPosition(9))
    #expect(state.time == 90)
  }
}
