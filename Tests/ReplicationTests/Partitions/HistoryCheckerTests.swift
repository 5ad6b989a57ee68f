import HistoryChecker
import Testing

/// The checker of `make soak-partitions` accepts a sound history, and notices each way to spoil it.
struct HistoryCheckerTests {
  /// A way to spoil a sound history, and the violations that the checker must find.
  struct Spoiling: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let violations: [Violation]
    let spoil: @Sendable (inout HistoryChecker) -> Void

    init(
      _ name: String,
      _ violations: Violation...,
      spoil: @escaping @Sendable (inout HistoryChecker) -> Void
    ) {
      testDescription = name
      self.violations = violations
      self.spoil = spoil
    }
  }

  /// Two processes: the first process writes 11, 12 and 13 until it is cut off, and the second
  /// process then writes 21 and 22. The outcome of 13 is unknown, and 14 and 20 were refused.
  static let sound = HistoryChecker(
    histories: [
      ProcessHistory(
        name: "n1.1",
        text: """
          10 began 11
          11 acknowledged 11
          12 observed 1 11
          20 began 12
          21 acknowledged 12
          30 observed 2 12
          31 began 13
          45 unknown 13
          46 began 14
          47 refused 14
          48 observed 3 13
          70 said it is stopped
          80 observed 5 22
          81 beg
          """
      ),
      ProcessHistory(
        name: "n2.1",
        text: """
          15 observed 1 11
          16 began 20
          17 refused 20
          50 began 21
          51 acknowledged 21
          52 observed 4 21
          60 began 22
          61 acknowledged 22
          62 observed 5 22

          """
      ),
    ],
    files: ["n1", "n2", "n3"].map {
      FinalFile(node: $0, ids: [11, 12, 13, 21, 22], rest: ["tally 5 22"])
    }
  )

  static let spoilings = [
    Spoiling(
      "lost",
      .lost(22),
      .observedAnother(process: "n1.1", count: 5, last: 22),
      .observedAnother(process: "n2.1", count: 5, last: 22)
    ) { checker in
      for index in checker.files.indices { checker.files[index].ids.removeLast() }
    },
    Spoiling("lost in one file", .filesDiffer("n1", "n3"), .lost(22)) { checker in
      checker.files[2].ids.removeLast()
    },
    Spoiling("doubled", .doubled(22)) { checker in
      for index in checker.files.indices { checker.files[index].ids.append(22) }
    },
    Spoiling("an unknown write is doubled", .doubled(13)) { checker in
      for index in checker.files.indices { checker.files[index].ids.append(13) }
    },
    Spoiling("reordered by its process", .reordered(11, after: 12)) { checker in
      for index in checker.files.indices { checker.files[index].ids.swapAt(0, 1) }
      for index in checker.histories.indices { checker.histories[index].forgetObservations() }
    },
    Spoiling("an unknown write is reordered", .reordered(12, after: 13)) { checker in
      for index in checker.files.indices { checker.files[index].ids.swapAt(1, 2) }
      for index in checker.histories.indices { checker.histories[index].forgetObservations() }
    },
    Spoiling("reordered between processes", .reordered(12, after: 21)) { checker in
      for index in checker.files.indices { checker.files[index].ids = [11, 21, 12, 22] }
      for index in checker.histories.indices { checker.histories[index].forgetObservations() }
    },
    Spoiling("goes back", .wentBack(process: "n2.1", from: 5, to: 4)) { checker in
      checker.histories[1].events.append(HistoryEvent(time: 63, .observed(count: 4, last: 21)))
    },
    Spoiling(
      "shows a row that no file has",
      .observedAnother(process: "n2.1", count: 5, last: 14)
    ) { checker in
      checker.histories[1].events[8].kind = .observed(count: 5, last: 14)
    },
    Spoiling(
      "shows more rows than the files have",
      .observedAnother(process: "n2.1", count: 6, last: 14)
    ) { checker in
      checker.histories[1].events.append(HistoryEvent(time: 63, .observed(count: 6, last: 14)))
    },
    Spoiling("refused but present", .refusedButPresent(20)) { checker in
      for index in checker.files.indices { checker.files[index].ids.insert(20, at: 1) }
      for index in checker.histories.indices { checker.histories[index].forgetObservations() }
    },
    Spoiling("a row of no process", .unknownRow(99)) { checker in
      for index in checker.files.indices { checker.files[index].ids.append(99) }
    },
    Spoiling("files differ", .filesDiffer("n1", "n2")) { checker in
      checker.files[1].rest = ["tally 5 21"]
    },
  ]

  @Test func `A sound history has no violations`() {
    #expect(Self.sound.violations() == [])
  }

  @Test func `An unknown write may be absent`() {
    var checker = Self.sound
    for index in checker.files.indices { checker.files[index].ids.remove(at: 2) }
    for index in checker.histories.indices { checker.histories[index].forgetObservations() }
    #expect(checker.violations() == [])
  }

  @Test(arguments: spoilings)
  func `A spoiled history has violations`(_ spoiling: Spoiling) {
    var checker = Self.sound
    spoiling.spoil(&checker)
    #expect(Set(checker.violations()) == Set(spoiling.violations))
  }

  @Test(arguments: [
    HistoryEvent.Kind.began(1), .acknowledged(2), .refused(3), .unknown(4),
    .observed(count: 5, last: 6), .said("two words"),
  ])
  func `A line holds an event`(_ kind: HistoryEvent.Kind) {
    let event = HistoryEvent(time: 7, kind)
    #expect(HistoryEvent(line: event.line[...]) == event)
  }

  @Test func `The line of a killed process that is not whole holds no event`() {
    #expect(ProcessHistory(name: "n1.1", text: "1 began 12\n2 acknowledged 1").events.count == 1)
    #expect(ProcessHistory(name: "n1.1", text: "1 began").events == [])
  }
}

extension ProcessHistory {
  fileprivate mutating func forgetObservations() {
    events.removeAll { event in
      if case .observed = event.kind { true } else { false }
    }
  }
}
