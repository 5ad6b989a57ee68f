import Testing

@testable import Replication

struct EtcdPaceTests {
  /// An answer, and how many entries the next request asks for.
  struct Answer: Sendable {
    var count: Int
    var bytesOfEntry: Int
    var milliseconds: UInt64
    var next: Int
  }

  private static let rows: [[Answer]] = [
    // Small entries over a fast link: twice as many each time, up to 512.
    [
      Answer(count: 4, bytesOfEntry: 100, milliseconds: 1, next: 8),
      Answer(count: 8, bytesOfEntry: 100, milliseconds: 1, next: 16),
      Answer(count: 16, bytesOfEntry: 100, milliseconds: 249, next: 32),
      Answer(count: 32, bytesOfEntry: 100, milliseconds: 1, next: 64),
      Answer(count: 64, bytesOfEntry: 100, milliseconds: 1, next: 128),
      Answer(count: 128, bytesOfEntry: 100, milliseconds: 1, next: 256),
      Answer(count: 256, bytesOfEntry: 100, milliseconds: 1, next: 512),
      Answer(count: 512, bytesOfEntry: 100, milliseconds: 1, next: 512),
      // A slow link, and a link that is neither slow nor fast.
      Answer(count: 512, bytesOfEntry: 100, milliseconds: 1_001, next: 256),
      Answer(count: 256, bytesOfEntry: 100, milliseconds: 300, next: 256),
      // An answer that had fewer entries than it could have says nothing about the link.
      Answer(count: 9, bytesOfEntry: 100, milliseconds: 1, next: 256),
    ],
    // An answer has about a megabyte, so that two of them do not need much memory.
    [
      Answer(count: 4, bytesOfEntry: 60_000, milliseconds: 1, next: 8),
      Answer(count: 8, bytesOfEntry: 60_000, milliseconds: 1, next: 16),
      Answer(count: 16, bytesOfEntry: 60_000, milliseconds: 1, next: 17),
      Answer(count: 17, bytesOfEntry: 60_000, milliseconds: 1, next: 17),
      Answer(count: 17, bytesOfEntry: 450_000, milliseconds: 1, next: 2),
      Answer(count: 2, bytesOfEntry: 1_500_000, milliseconds: 1, next: 1),
      Answer(count: 1, bytesOfEntry: 0, milliseconds: 1, next: 2),
    ],
    // Nothing was found.
    [Answer(count: 0, bytesOfEntry: 0, milliseconds: 1, next: 4)],
  ]

  @Test(arguments: rows)
  func `the next request asks for as many entries as the link and their size allow`(
    answers: [Answer]
  ) {
    var pace = EtcdPace()
    for answer in answers {
      pace.noteAnswer(
        of: answer.count,
        bytes: answer.count * answer.bytesOfEntry,
        isFull: answer.count >= pace.batch,
        after: answer.milliseconds * 1_000_000
      )
      #expect(pace.batch == answer.next, "after \(answer)")
    }
  }

  @Test func `an answer that does not come lets the next request ask for a quarter`() {
    var pace = EtcdPace()
    pace.noteAnswer(of: 4, bytes: 4, isFull: true, after: 1)
    #expect(pace.batch == 8)
    pace.noteFailure()
    #expect(pace.batch == 2)
    pace.noteFailure()
    #expect(pace.batch == 1)
  }

  @Test func `a reader is behind while answers are full`() {
    var pace = EtcdPace()
    #expect(!pace.isBehind)
    pace.noteAnswer(of: 4, bytes: 4, isFull: true, after: 1)
    #expect(pace.isBehind)
    pace.noteFailure()
    #expect(pace.isBehind)
    pace.noteAnswer(of: 3, bytes: 3, isFull: false, after: 1)
    #expect(!pace.isBehind)
  }

  @Test func `two answers are on their way on a fast link only`() {
    var pace = EtcdPace()
    #expect(pace.readsAhead == 1)
    pace.noteAnswer(of: 4, bytes: 4, isFull: true, after: 249_000_000)
    #expect(pace.readsAhead == 2)
    pace.noteAnswer(of: 4, bytes: 4, isFull: true, after: 251_000_000)
    #expect(pace.readsAhead == 1)
    pace.noteAnswer(of: 4, bytes: 4, isFull: true, after: 1)
    pace.noteFailure()
    #expect(pace.readsAhead == 1)
  }
}
