import TestSupport
import Testing

@testable import Storage

@Suite("What a commit changes in an ordered result") struct RowPatchTests {
  /// Two results, and which rows of the second result differ from the rows of the first result.
  private static let results: [(old: [Int64], new: [Int64], changed: Set<Int64>)] = [
    ([], [], []), ([], [1], [1]), ([1], [], []), ([1, 2, 3], [1, 2, 3], [2]),
    ([1, 2, 3], [2, 1, 3], [1]), ([1, 2, 3], [3, 1, 2], [3]), ([1, 2, 3, 4], [2, 4], []),
    ([1, 2], [0, 1, 5, 2, 6], [0, 5, 6]), ([1, 2, 3], [7, 8, 9], [7, 8, 9]),
  ]

  @Test(arguments: results)
  func `a patch makes the new result of the old one`(
    old: [Int64],
    new: [Int64],
    changed: Set<Int64>
  ) {
    let patch = RowPatch(from: old, to: new, changed: changed)
    var elements = old
    patch.apply(to: &elements, new.filter(changed.contains))
    #expect(elements == new)
    #expect(patch.isEmpty == (old == new && changed.isEmpty))
  }

  @Test(arguments: Soak.seeds(2000, inSuite: 200))
  func `random patches make the new result, in place or not`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let old = (0..<Int64(generator.number(in: 0..<12))).shuffled(using: &generator)
    var new = old.filter { _ in !generator.chance(15) }
    var changed: Set<Int64> = []
    for row in new where generator.chance(20) {
      // It comes back anywhere.
      changed.insert(row)
      new.removeAll { $0 == row }
      new.insert(row, at: generator.number(in: 0..<new.count + 1))
    }
    for row in 20..<20 + Int64(generator.number(in: 0..<4)) {
      changed.insert(row)
      new.insert(row, at: generator.number(in: 0..<new.count + 1))
    }
    let patch = RowPatch(from: old, to: new, changed: changed)
    var elements = old
    patch.apply(to: &elements, new.filter(changed.contains))
    #expect(elements == new)

    // The first rows need no further rows, or say that they do.
    let limit = generator.number(in: 0..<8)
    let (first, last) = (Array(old.prefix(limit)), Array(new.prefix(limit)))
    guard let patch = patch.first(last.count, of: first.count) else { return }
    var window = first
    patch.apply(to: &window, new.filter(changed.contains))
    #expect(window == last)
  }

  @Test func `equal elements make an equal result, also at each other's places`() {
    let replaced = RowPatch(left: [1], arrived: [(1, 0)], count: 3)
    #expect(replaced.isUnchanged([1, 2, 3], [1, 2, 3]))
    #expect(!replaced.isUnchanged([1, 2, 3], [1, 5, 3]))
    let moved = RowPatch(left: [0], arrived: [(2, 0)], count: 3)
    #expect(!moved.keepsIndexes)
    #expect(moved.isUnchanged([4, 4, 4], [4, 4, 4]))
    #expect(!moved.isUnchanged([4, 5, 6], [5, 6, 4]))
    // Elements that cannot be compared count as different.
    struct Opaque {}
    #expect(!replaced.isUnchanged([Opaque(), Opaque()], [Opaque(), Opaque()]))
    #expect(RowPatch(left: [], arrived: [], count: 2).isUnchanged([Opaque()], [Opaque()]))
  }
}
