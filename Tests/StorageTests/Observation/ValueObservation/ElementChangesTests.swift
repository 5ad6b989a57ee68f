import Storage
import Synchronization
import Testing
import WellspringSystem

@testable import StorageTestSupport

@Suite struct ElementChangesTests {
  private struct Pair: Equatable, Sendable {
    let id: Int
    let text: String
  }

  private func pairs(_ text: String) -> [Pair] {
    text.split(separator: " ").map { word in
      Pair(id: Int(String(word.dropLast()))!, text: String(word.last!))
    }
  }

  private func changes(_ old: String, _ new: String) -> ElementChanges<Pair> {
    ElementChanges(from: pairs(old), to: pairs(new), id: \.id, areEqual: ==)
  }

  static let cases: [(old: String, new: String, changes: String)] = [
    ("", "", ""),
    ("1a 2a", "1a 2a", ""),
    ("", "1a 2a", "+0 +1"),
    ("1a 2a", "", "-0 -1"),
    ("1a 2a 3a", "1a 2b 3a", "~1:1"),
    ("1a 2a 3a", "1a 3a", "-1"),
    ("1a 3a", "1a 2a 3a", "+1"),
    ("1a 2a 3a 4a", "4a 1a 2a 3a", "3>0"),
    ("1a 2a 3a", "3a 2a 1a", "2>0 1>1"),
    ("1a 2a 3a", "2b 4a 1a", "-2 +1 ~1:0 1>0"),
    ("1a 1b 2a", "1a 2a 1c", "~1:2 2>1"),
    ("1a 2a", "2a 1a 1b", "+2 1>0"),
  ]

  @Test(arguments: cases)
  func `changes describe the difference between two arrays`(
    old: String,
    new: String,
    expected: String
  ) {
    let changes = changes(old, new)
    let text =
      changes.removed.map { "-\($0.index)" } + changes.inserted.map { "+\($0.index)" }
      + changes.updated.map { "~\($0.oldIndex):\($0.newIndex)" }
      + changes.moved.map { "\($0.oldIndex)>\($0.newIndex)" }
    #expect(text.joined(separator: " ") == expected)
    #expect(changes.isEmpty == expected.isEmpty)
    var elements = pairs(old)
    changes.apply(to: &elements)
    #expect(elements == pairs(new))
  }

  /// A generator that gives the same numbers for the same seed.
  private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test func `applying the changes reproduces each later array in its order`() {
    var random = Seeded(state: 7)
    var last: [Pair] = []
    var replayed: [Pair] = []
    for step in 0..<2000 {
      // Some ids repeat.
      let ids = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        Int.random(in: 0...15, using: &random)
      }
      let next = ids.map {
        Pair(id: $0, text: ["a", "b"].randomElement(using: &random)!)
      }
      let changes = ElementChanges(from: last, to: next, id: \.id, areEqual: ==)
      changes.apply(to: &replayed)
      guard replayed == next else {
        Issue.record("step \(step): from \(last) to \(next)")
        return
      }
      last = next
    }
  }

  @Test(
    arguments: [
      ([], [1, 2, 3], nil),
      ([], [1, 2, 1], "1"),
      ([1, 2], [2, 1, 2], "2"),
      ([1, 1], [2, 1], nil),
      ([1], [3, 3, 4, 4], "3"),
    ] as [([Int], [Int], String?)]
  )
  func `an identity that several elements have is named`(
    old: [Int],
    new: [Int],
    duplicate: String?
  ) {
    let pairs = [old, new].map { $0.enumerated().map { Pair(id: $1, text: "\($0)") } }
    let changes = ElementChanges(from: pairs[0], to: pairs[1], id: \.id, areEqual: ==)
    #expect(changes.duplicateIdentity == duplicate)
  }

  @Test func `elements that share an identity are reported once`() async {
    await #expect(processExitsWith: .success) {
      let reports = Lock<[FailureReport]>([])
      Database.reportFailure = { report in reports.withLock { $0.append(report) } }
      let shop = try Shop()
      let names = ValueObservation.tracking { db in
        try String.fetchAll(db, sql: "SELECT name FROM item ORDER BY id")
      }
      var changes = names.changes(in: shop.pool, id: \.count).makeAsyncIterator()
      try #require(try await changes.next()?.inserted.count == 2)
      try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET name = name || '!'") }
      try #require(try await changes.next() != nil)
      // The second value has a duplicate too: 4.
      let lines = reports.withLock { $0.map(\.description) }
      try #require(
        lines == [
          """
          changes(id:) of String: several elements have the identity 3, and may be taken for each \
          other: pass an id that is unique among the elements
          """
        ]
      )
      let error = reports.withLock { $0.first?.error }
      try #require(error as? DuplicateIdentity == DuplicateIdentity(identity: "3"))
    }
  }

  @Test func `as few elements as possible move`() {
    var random = Seeded(state: 3)
    for _ in 0..<200 {
      let old = (0..<7).map { Pair(id: $0, text: "a") }
      let new = old.shuffled(using: &random)
      let changes = ElementChanges(from: old, to: new, id: \.id, areEqual: ==)
      // The size of the largest subset whose elements keep their order, found by trying all
      // subsets.
      var staying = 0
      for subset in 0..<128 {
        let ids = new.map(\.id).filter { subset & (1 << $0) != 0 }
        if ids == ids.sorted() { staying = max(staying, ids.count) }
      }
      #expect(changes.moved.count == old.count - staying)
    }
  }

  @Test func `replaying an observation's changes reproduces its values even if some are skipped`()
    async throws
  {
    let shop = try Shop()
    let pool = shop.pool
    let writer = Task {
      for round in 0..<100 {
        try await pool.write { db in
          try db.execute(sql: "DELETE FROM item WHERE id % 7 = ?", arguments: [round % 7])
          try db.execute(
            sql: "REPLACE INTO item VALUES (?, 'new', ?)",
            arguments: [round % 20, round]
          )
        }
      }
      try await pool.write { db in try Item(id: 999, name: "last", price: nil).insert(db) }
    }
    let observation = ValueObservation.tracking { db in
      try Item.fetchAll(db, sql: "SELECT * FROM item ORDER BY price DESC, id")
    }
    var items: [Item] = []
    for try await changes in observation.changes(in: pool, id: \.id) {
      changes.apply(to: &items)
      if items.contains(where: { $0.id == 999 }) { break }
    }
    try await writer.value
    let expected = try await pool.read { db in
      try Item.fetchAll(db, sql: "SELECT * FROM item ORDER BY price DESC, id")
    }
    #expect(items == expected)
  }

  @Test func `each follower of shared changes receives all of them`() async throws {
    let shop = try Shop()
    let shared = Shop.items.changes(id: \.id).shared(in: shop.pool)
    let early = Recorder<ElementChanges<Item>>()
    let first = shared.start(
      onError: { early.append(error: $0) },
      onChange: { early.append($0) }
    )
    var items: [Item] = []
    try await early.nextValue().apply(to: &items)
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    try await early.nextValue().apply(to: &items)
    #expect(items == [.pot])
    let late = Recorder<ElementChanges<Item>>()
    let second = shared.start(onError: { late.append(error: $0) }, onChange: { late.append($0) })
    var lateItems: [Item] = []
    try await late.nextValue().apply(to: &lateItems)
    #expect(lateItems == [.pot])
    try await shop.pool.write { db in try Item.cup.insert(db) }
    try await early.nextValue().apply(to: &items)
    try await late.nextValue().apply(to: &lateItems)
    #expect(items == [.cup, .pot])
    #expect(lateItems == items)
    #expect(shop.pool.observationStatistics.runs == 3)
    for cancellable in [first, second] { cancellable.cancel() }
  }

  private final class Counter: Sendable {
    let value = Atomic(0)
  }

  /// An element that counts its comparisons.
  private struct Counted: Equatable, Sendable {
    let id: Int
    let text: String
    let comparisons: Counter
    static func == (left: Counted, right: Counted) -> Bool {
      left.comparisons.value.add(1, ordering: .relaxed)
      return left.id == right.id && left.text == right.text
    }
  }

  @Test func `the number of comparisons is linear in the number of elements`() {
    let count = 10_000
    let comparisons = Counter()
    func elements(_ ids: some Sequence<Int>, _ text: String) -> [Counted] {
      ids.map { Counted(id: $0, text: text, comparisons: comparisons) }
    }
    let old = elements(0..<count, "old")
    for new in [
      old, elements(0..<count, "new"), elements((0..<count).reversed(), "old"),
      elements(stride(from: 0, to: 2 * count, by: 2), "old"),
    ] {
      let before = comparisons.value.load(ordering: .relaxed)
      _ = ElementChanges(from: old, to: new, id: \.id, areEqual: ==)
      #expect(comparisons.value.load(ordering: .relaxed) - before <= 2 * count)
    }
  }
}
