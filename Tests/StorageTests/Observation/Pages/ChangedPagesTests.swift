import TestSupport
import Testing

@testable import Storage

/// The changes of commits, in pages that are written by hand.
@Suite struct ChangedPagesTests {
  private typealias Pages = HandwrittenPages

  private func pages(
    _ present: Pages.Content,
    after former: Pages.Content = Pages.table
  ) -> Pages {
    Pages(former: former, present: former.merging(present) { $1 })
  }

  private func changes(
    _ present: Pages.Content,
    after former: Pages.Content = Pages.table,
    hasRowIDs: Bool = true,
    lost: Set<DatabasePage.Number> = []
  ) throws -> Told {
    var pages = pages(present, after: former)
    var tree = try PageTree(root: 2, read: pages.before)
    pages.lost = lost
    switch try pages.changes(of: &tree, hasRowIDs: hasRowIDs, maximumCount: 100) {
    case .none: return .none
    case .rows(let rows): return .rows(Set(rows.map(\.id)))
    case .ids(let ids): return .ids(ids)
    case .some: return .some
    }
  }

  private enum Told: Equatable {
    case none
    case rows(Set<Int64>)
    case ids(Set<Int64>)
    case some
  }

  @Test func `a row that differs is told, and its neighbors are not`() throws {
    #expect(try changes([3: Pages.leaf([1: 1, 2: 9])]) == .rows([2]))
    #expect(try changes([3: Pages.leaf([1: 1])]) == .rows([2]))
    #expect(try changes([4: Pages.leaf([11: 1, 12: 1, 13: 5])]) == .rows([13]))
    #expect(try changes([5: Pages.leaf([99: 1])]) == .none)
  }

  /// A page by its cells, each at an offset.
  private func leaf(_ cells: KeyValuePairs<Int, [UInt8]>) -> [UInt8] {
    var bytes = Pages.leaf([:] as [UInt8: UInt8])
    bytes.replaceSubrange(3..<5, with: [0, UInt8(cells.count)])
    for (index, cell) in cells.enumerated() {
      let offset = [UInt8(cell.key >> 8), UInt8(cell.key & 0xff)]
      bytes.replaceSubrange(8 + 2 * index..<10 + 2 * index, with: offset)
      bytes.replaceSubrange(cell.key..<cell.key + cell.value.count, with: cell.value)
    }
    return bytes
  }

  @Test func `cells that stay at their offsets with their bytes are those of equal rows`() throws {
    let former = Pages.table.merging([3: leaf([400: [1, 1, 7], 410: [1, 2, 7], 420: [1, 3, 7]])]) {
      $1
    }
    func changes(_ cells: KeyValuePairs<Int, [UInt8]>) throws -> Told {
      try self.changes([3: leaf(cells)], after: former)
    }
    #expect(try changes([400: [1, 1, 7], 410: [1, 2, 7], 420: [1, 3, 7]]) == .none)
    #expect(try changes([400: [1, 1, 7], 410: [1, 2, 8], 420: [1, 3, 7]]) == .rows([2]))
    // Another row at the offset, a longer record, and a record that has moved.
    #expect(try changes([400: [1, 1, 7], 420: [1, 3, 7], 410: [1, 4, 7]]) == .rows([2, 4]))
    #expect(try changes([400: [1, 1, 7], 410: [1, 2, 7], 420: [2, 3, 7, 0]]) == .rows([3]))
    #expect(try changes([400: [1, 1, 7], 430: [1, 2, 7], 420: [1, 3, 7]]) == .none)
    #expect(try changes([400: [1, 1, 7], 430: [1, 2, 9], 420: [1, 3, 7]]) == .rows([2]))
    #expect(try changes([410: [1, 2, 7]]) == .rows([1, 3]))
    let more = try changes([400: [1, 1, 7], 410: [1, 2, 7], 420: [1, 3, 7], 440: [1, 9, 7]])
    #expect(more == .rows([9]))
    // Offsets behind the end.
    #expect(throws: PageObstacle.damaged) { try changes([400: [1, 1, 7], 511: [1]]) }
  }

  @Test func `rows that only move are not told`() throws {
    let present: Pages.Content = [
      2: Pages.interior([3, 5, 4]), 3: Pages.leaf([1: 1]), 5: Pages.leaf([2: 1, 3: 1]),
    ]
    #expect(try changes(present) == .rows([3]))
  }

  @Test func `rows of a leaf that is no longer in the tree are told`() throws {
    // The leaf itself is not written.
    #expect(try changes([2: Pages.interior([3])]) == .rows([11, 12]))
    #expect(try changes([2: Pages.leaf([1: 1, 2: 1])]) == .rows([11, 12]))
  }

  // The keys of the root say that the rows 11 to 20 belong to its second leaf.
  @Test func `where the former page is lost, the rows that the leaf may have had are told`() throws
  {
    let former = Pages.table.merging([
      2: Pages.interior([3, 4, 5]), 5: Pages.leaf([21: 1, 22: 1]),
    ]) { $1 }
    let second: Pages.Content = [4: Pages.leaf([11: 1])]
    #expect(try changes(second, after: former) == .rows([12]))
    #expect(try changes(second, after: former, lost: [4]) == .ids(Set(11...20)))
    // The first and the last leaf have no bound on one side.
    #expect(try changes([3: Pages.leaf([1: 9])], after: former, lost: [3]) == .some)
    #expect(try changes([5: Pages.leaf([21: 9])], after: former, lost: [5]) == .some)
    // Other leaves have come.
    let split: Pages.Content = [
      2: Pages.interior([3, 4, 6, 5]), 4: Pages.leaf([11: 1]), 6: Pages.leaf([12: 1]),
    ]
    #expect(try changes(split, after: former, lost: [4]) == .some)
    // A leaf that is in another place than its rows.
    let misplaced: Pages.Content = [4: Pages.leaf([99: 1])]
    #expect(throws: PageObstacle.damaged) { try changes(misplaced, after: former, lost: [4]) }
  }

  @Test func `a table without row ids is told as a whole`() throws {
    #expect(try changes([3: Pages.leaf([1: 1, 2: 9])], hasRowIDs: false) == .some)
    #expect(try changes([2: Pages.interior([3])], hasRowIDs: false) == .some)
    #expect(try changes([5: Pages.leaf([1: 1])], hasRowIDs: false) == .none)
  }

  // MARK: Overflow pages

  /// A leaf whose row 9 continues in the pages 6 and 7.
  private static let long = Pages.table.merging([
    3: Pages.leaf([[1, 1, 1], Pages.longCell(9, overflow: 6)]),
    6: Pages.overflow(next: 7, 1), 7: Pages.overflow(next: 0, 1),
  ]) { $1 }

  @Test(arguments: [6, 7] as [DatabasePage.Number])
  func `a value that is overwritten in place is told with its leaf`(
    page: DatabasePage.Number
  ) throws {
    let present: Pages.Content = [
      3: Pages.leaf([[1, 1, 5], Pages.longCell(9, overflow: 6)]),
      page: Pages.overflow(next: page == 6 ? 7 : 0, 2),
    ]
    #expect(try changes(present, after: Self.long) == .rows([1, 9]))
    // The other row has not changed.
    let leaf: Pages.Content = [3: Pages.leaf([[1, 1, 5], Pages.longCell(9, overflow: 6)])]
    #expect(try changes(leaf, after: Self.long) == .rows([1]))
  }

  @Test func `a value that is overwritten without its leaf is not explained`() throws {
    let alone = pages([6: Pages.overflow(next: 7, 2)], after: Self.long)
    #expect(throws: PageObstacle.unexplained) { try alone.checkOverflowPages() }
    // A new value has its leaf.
    let both = pages(
      [
        3: Pages.leaf([[1, 1, 1], Pages.longCell(9, overflow: 8)]),
        8: Pages.overflow(next: 9, 1), 9: Pages.overflow(next: 0, 1),
      ],
      after: Self.long
    )
    try both.checkOverflowPages()
    // The chain of a page that leads to itself ends.
    let cycle = pages(
      [
        3: Pages.leaf([[1, 1, 1], Pages.longCell(9, overflow: 8)]), 8: Pages.overflow(next: 8, 1),
      ],
      after: Self.long
    )
    try cycle.checkOverflowPages()
  }

  @Test func `a free page that is written as it was explains nothing`() throws {
    // Its former row was in the pages that now belong to row 9. A sector is written whole.
    let dead = Pages.leaf([[1, 1, 1], Pages.longCell(5, overflow: 6)])
    let former = Self.long.merging([5: dead]) { $1 }
    var pages = pages([6: Pages.overflow(next: 7, 2)], after: former)
    pages.written = [5, 6]
    #expect(throws: PageObstacle.unexplained) { try pages.checkOverflowPages() }
    // Nor does an overflow page that is written as it was need an explanation.
    pages.present[6] = former[6]
    try pages.checkOverflowPages()
  }

  @Test func `a change of the schema beyond the first page concerns everything`() throws {
    let interior = Pages.header.prefix(100) + Pages.interior([3, 4]).prefix(412)
    let former = Pages.table.merging([1: Array(interior)]) { $1 }
    let pages = pages([3: Pages.leaf([1: 9])], after: former)
    // The tree of the pages 2, 3 and 4 represents the tree of the schema.
    var tree = try PageTree(root: 2, read: pages.before)
    #expect(throws: PageObstacle.schema) { try pages.checkSchema(&tree) }
    let other = self.pages([5: Pages.leaf([1: 9])], after: former)
    try other.checkSchema(&tree)
  }

  @Test func `cells that overlap are refused`() {
    let cell: [UInt8] = [0x82, 0x00, 7] + [UInt8](repeating: 1, count: 256)
    var bytes = Pages.leaf([cell])
    bytes[4] = 3
    for index in 0..<3 { (bytes[8 + 2 * index], bytes[9 + 2 * index]) = (bytes[8], bytes[9]) }
    #expect(throws: PageObstacle.damaged) { try changes([3: bytes]) }
  }

  @Test func `pages that become free are explained by the free list`() throws {
    var header = Pages.header
    header[35] = 6
    // Page 6 is a trunk with the leaf 7.
    var trunk = [UInt8](repeating: 0, count: 512)
    (trunk[7], trunk[11]) = (1, 7)
    let freed: Pages.Content = [1: header, 6: trunk, 7: [UInt8](repeating: 0, count: 512)]
    try pages(freed, after: Self.long).checkOverflowPages()
    trunk[11] = 8
    let other: Pages.Content = [1: header, 6: trunk, 7: [UInt8](repeating: 0, count: 512)]
    #expect(throws: PageObstacle.unexplained) {
      try pages(other, after: Self.long).checkOverflowPages()
    }
    // A list that leads to itself.
    trunk[3] = 6
    #expect(throws: PageObstacle.damaged) {
      try pages([1: header, 6: trunk], after: Self.long).checkOverflowPages()
    }
  }

  // MARK: The header

  /// Whether a byte of the header may change.
  @Test(arguments: [
    (24, true), (27, true), (28, false), (31, true), (35, true), (39, true), (40, false),
    (43, false), (47, false), (52, false), (55, false), (59, false), (63, false), (71, false),
    (91, false), (95, true), (99, true), (100, false), (300, false),
  ])
  func `a change of the header or of the schema concerns everything`(
    byte: Int,
    isFree: Bool
  ) throws {
    var header = Pages.header
    header[byte] = 3
    let pages = pages([1: header])
    guard !isFree else { return try pages.checkHeader() }
    #expect(throws: byte == 28 || (52...55).contains(byte) ? PageObstacle.layout : .schema) {
      try pages.checkHeader()
    }
  }

  // MARK: Damage

  /// Bytes of any kind must not crash the reader, nor let it read for ever.
  @Test(arguments: Soak.seeds(1000, inSuite: 10))
  func `soak: damaged pages are refused or read`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var present = Self.long
      for (number, bytes) in present {
        var bytes = bytes
        for _ in 0..<random.number(in: 0..<6) {
          bytes[random.number(below: 130)] = UInt8(random.number(below: 256))
        }
        for _ in 0..<random.number(in: 0..<6) {
          bytes[random.number(below: 512)] = UInt8(random.number(below: 256))
        }
        present[number] = bytes
      }
      let pages = Pages(former: Self.long, present: present)
      try? pages.checkHeader()
      try? pages.checkOverflowPages()
      guard var tree = try? PageTree(root: 2, read: pages.before) else { continue }
      _ = try? pages.changes(of: &tree, hasRowIDs: random.chance(50), maximumCount: 100)
    }
  }
}
