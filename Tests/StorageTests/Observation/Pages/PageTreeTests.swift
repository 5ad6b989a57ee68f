import TestSupport
import Testing

@testable import Storage

/// Trees and commits of pages that are written by hand.
@Suite struct PageTreeTests {
  /// Pages by their numbers, before and after commits.
  private struct Pages: ChangedPages {
    var former: [DatabasePage.Number: [UInt8]]
    var present: [DatabasePage.Number: [UInt8]]
    var numbers: Set<DatabasePage.Number> {
      Set(present.keys.filter { present[$0] != former[$0] })
    }

    func before(_ number: DatabasePage.Number) throws(PageObstacle) -> DatabasePage {
      try Self.page(number, former)
    }

    func after(_ number: DatabasePage.Number) throws(PageObstacle) -> DatabasePage {
      try Self.page(number, present)
    }

    private static func page(
      _ number: DatabasePage.Number,
      _ pages: [DatabasePage.Number: [UInt8]]
    ) throws(PageObstacle) -> DatabasePage {
      guard let bytes = pages[number] else { throw .damaged }
      return try DatabasePage(number: number, bytes: bytes, usableSize: bytes.count)
    }
  }

  private static func leaf(_ rows: [UInt8: UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 512)
    bytes[0] = DatabasePage.Kind.leafTable.rawValue
    bytes[4] = UInt8(rows.count)
    for (index, row) in rows.sorted(by: { $0.key < $1.key }).enumerated() {
      let offset = 512 - 3 * (index + 1)
      bytes.replaceSubrange(offset..<offset + 3, with: [1, row.key, row.value])
      bytes[8 + 2 * index] = UInt8(offset >> 8)
      bytes[9 + 2 * index] = UInt8(offset & 0xff)
    }
    return bytes
  }

  private static func interior(_ children: [UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 512)
    bytes[0] = DatabasePage.Kind.interiorTable.rawValue
    bytes[4] = UInt8(children.count - 1)
    bytes[11] = children[children.count - 1]
    for (index, child) in children.dropLast().enumerated() {
      let offset = 512 - 5 * (index + 1)
      bytes.replaceSubrange(offset..<offset + 5, with: [0, 0, 0, child, UInt8(10 * index)])
      bytes[12 + 2 * index] = UInt8(offset >> 8)
      bytes[13 + 2 * index] = UInt8(offset & 0xff)
    }
    return bytes
  }

  /// A root with two leaves.
  private static let former: [DatabasePage.Number: [UInt8]] = [
    2: interior([3, 4]), 3: leaf([1: 1, 2: 1]), 4: leaf([11: 1, 12: 1]),
  ]

  private func changes(
    _ present: [DatabasePage.Number: [UInt8]]
  ) throws -> (changes: RowChanges, leaves: Set<DatabasePage.Number>) {
    let pages = Pages(
      former: Self.former,
      present: Self.former.merging(present) { $1 }
    )
    var tree = try PageTree(root: 2, read: pages.before)
    let changes = try pages.changes(of: &tree, hasRowIDs: true, maximumCount: 100)
    return (changes, tree.leaves)
  }

  @Test func `a tree has leaves`() throws {
    let pages = Pages(former: Self.former, present: Self.former)
    let tree = try PageTree(root: 2, read: pages.before)
    #expect(tree.leaves == [3, 4])
    #expect(tree.isInterior(2) && tree.contains(3) && !tree.contains(5))
  }

  @Test func `a row that differs is told, and its neighbors are not`() throws {
    #expect(try changes([3: Self.leaf([1: 1, 2: 9])]).changes == .rows([2]))
    #expect(try changes([3: Self.leaf([1: 1])]).changes == .rows([2]))
    #expect(try changes([4: Self.leaf([11: 1, 12: 1, 13: 5])]).changes == .rows([13]))
    #expect(try changes([5: Self.leaf([99: 1])]).changes == .none)
  }

  @Test func `rows that only move are not told`() throws {
    let found = try changes([
      2: Self.interior([3, 5, 4]), 3: Self.leaf([1: 1]), 5: Self.leaf([2: 1, 3: 1]),
    ])
    #expect(found.changes == .rows([3]))
    #expect(found.leaves == [3, 4, 5])
  }

  @Test func `rows of a leaf that is no longer in the tree are told`() throws {
    // The leaf itself is not written.
    let found = try changes([2: Self.interior([3])])
    #expect(found.changes == .rows([11, 12]))
    #expect(found.leaves == [3])
  }

  @Test func `a tree can become a leaf, and grow`() throws {
    let small = try changes([2: Self.leaf([1: 1, 2: 1])])
    #expect(small.changes == .rows([11, 12]))
    #expect(small.leaves == [2])
    let high = try changes([
      2: Self.interior([6]), 6: Self.interior([3, 4, 7]), 7: Self.leaf([30: 1]),
    ])
    #expect(high.changes == .rows([30]))
    #expect(high.leaves == [3, 4, 7])
  }

  @Test func `a tree that contains itself is refused`() {
    #expect(throws: PageObstacle.damaged) { try changes([2: Self.interior([2, 4])]) }
  }

  /// Bytes of any kind must not crash the reader, nor let it read for ever.
  @Test(arguments: Soak.seeds(1000, inSuite: 20))
  func `soak: damaged pages are refused or read`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var present = Self.former
      for (number, bytes) in present {
        var bytes = bytes
        for _ in 0..<random.number(in: 0..<6) {
          bytes[random.number(below: 30)] = UInt8(random.number(below: 256))
        }
        for _ in 0..<random.number(in: 0..<6) {
          bytes[random.number(below: 512)] = UInt8(random.number(below: 256))
        }
        present[number] = bytes
      }
      present[1] = (0..<512).map { _ in UInt8(random.number(below: 256)) }
      let pages = Pages(former: Self.former.merging([1: present[1] ?? []]) { $1 }, present: present)
      try? pages.checkHeader()
      try? pages.checkOverflowPages()
      guard var tree = try? PageTree(root: 2, read: pages.before) else { continue }
      _ = try? pages.changes(of: &tree, hasRowIDs: random.chance(50), maximumCount: 100)
    }
  }
}
