@testable import Storage
import Testing

@Suite struct CheckpointTurnTests {
  private struct Failure: Error {}

  @Test func `a checkpoint is skipped while another one runs`() {
    let turn = CheckpointTurn()
    turn.run { #expect(turn.runIfFree { 1 } == nil) }
    #expect(turn.runIfFree { 1 } == 1)
  }

  @Test func `a failed checkpoint ends its turn`() {
    let turn = CheckpointTurn()
    #expect(throws: Failure.self) { try turn.run { throw Failure() } }
    #expect(throws: Failure.self) { try turn.runIfFree { throw Failure() } }
    #expect(turn.runIfFree { 1 } == 1)
  }
}
