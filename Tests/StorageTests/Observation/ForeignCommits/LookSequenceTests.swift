@testable import Storage
import Testing

@Suite struct LookSequenceTests {
  /// The pauses of a sequence, in milliseconds.
  private func pauses(_ sequence: LookSequence) -> [Double] {
    var sequence = sequence
    var pauses: [Double] = []
    while let pause = sequence.takePause() { pauses.append((pause * 10_000).rounded() / 10) }
    #expect(sequence.isAtEnd)
    return pauses
  }

  @Test func `looks after an event begin soon, and go on for a second`() {
    let pauses = pauses(.afterEvent)
    #expect(pauses.prefix(9) == [0.2, 0.3, 0.5, 0.5, 0.5, 1, 1, 2, 2])
    #expect(pauses == pauses.sorted())
    #expect((1000...1100).contains(pauses.reduce(0, +)))
  }

  @Test func `looks after an own commit begin with the pause of 4 ms`() {
    #expect(pauses(.afterOwnCommit) == [4, 4, 8, 8, 16, 32, 64, 128, 256, 512])
  }

  @Test func `a sequence is at its end after the last pause`() {
    var sequence = LookSequence.afterOwnCommit
    for _ in 0..<10 {
      #expect(!sequence.isAtEnd)
      _ = sequence.takePause()
    }
    #expect(sequence.isAtEnd)
    #expect(sequence.takePause() == nil)
  }
}
