import Testing

@testable import Replication

@Suite struct EpochBeginningsTests {
  // Epoch 1 has the entries 2 to 5, epoch 2 the entries 6 to 8, epoch 3 begins with entry 9.
  @Test(arguments: [
    (1, 5, EpochBeginnings.Fate.contained), (1, 6, .discarded), (1, 100, .discarded),
    (2, 6, .contained), (2, 8, .contained), (2, 9, .discarded), (3, 9, .contained),
    (3, 10, .contained), (3, 11, .ahead), (4, 12, .ahead),
    // A survivor has begun epoch 4 at a place where this node still has entries that the log has
    // lost.
    (4, 9, .ahead), (4, 10, .ahead),
  ])
  func `a token tells what became of its write`(
    epoch: Int64,
    sequence: Int64,
    fate: EpochBeginnings.Fate
  ) {
    #expect(sample().fate(of: WriteToken(epoch: epoch, sequence: sequence), at: place) == fate)
  }

  @Test func `a token keeps its meaning when earlier epochs are forgotten`() {
    var beginnings = sample()
    beginnings.forget(below: LogPosition(7))
    #expect(beginnings.fate(of: WriteToken(epoch: 1, sequence: 6), at: place) == .discarded)
    #expect(beginnings.fate(of: WriteToken(epoch: 2, sequence: 9), at: place) == .discarded)
    #expect(beginnings.fate(of: WriteToken(epoch: 2, sequence: 8), at: place) == .contained)
  }

  private func sample() -> EpochBeginnings {
    var beginnings = EpochBeginnings()
    beginnings.begin(1, at: LogPosition(2))
    beginnings.begin(2, at: LogPosition(6))
    beginnings.begin(3, at: LogPosition(9))
    beginnings.begin(3, at: LogPosition(9))
    return beginnings
  }

  private var place: HistoryPosition {
    HistoryPosition(
      database: DatabaseID(),
      position: LogPosition(10),
      epoch: 3,
      commit: 0,
      hash: EntryHash(of: [])
    )
  }
}
