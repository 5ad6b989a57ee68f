import Testing

@testable import Storage

/// The trees of tables in pages that are written by hand.
@Suite struct PageTreeTests {
  private typealias Pages = HandwrittenPages

  private func leaves(_ present: Pages.Content) throws -> Set<DatabasePage.Number> {
    let pages = Pages(former: Pages.table, present: Pages.table.merging(present) { $1 })
    var tree = try PageTree(root: 2, read: pages.before)
    let former = tree.leaves
    let difference = try tree.update(changed: pages.numbers, read: pages.after)
    #expect(former.subtracting(difference.removed).union(difference.added) == tree.leaves)
    #expect(try PageTree(root: 2, read: pages.after).leaves == tree.leaves)
    return tree.leaves
  }

  @Test func `a tree has leaves`() throws {
    let pages = Pages(former: Pages.table, present: Pages.table)
    let tree = try PageTree(root: 2, read: pages.before)
    #expect(tree.leaves == [3, 4])
    #expect(tree.isInterior(2) && tree.contains(3) && !tree.contains(5))
  }

  @Test func `leaves come and go`() throws {
    #expect(try leaves([2: Pages.interior([3, 5, 4])]) == [3, 4, 5])
    #expect(try leaves([2: Pages.interior([3])]) == [3])
    #expect(try leaves([2: Pages.interior([5, 6]), 5: Pages.leaf([1: 1])]) == [5, 6])
    #expect(try leaves([3: Pages.leaf([1: 7])]) == [3, 4])
  }

  @Test func `a tree can become a leaf, and grow`() throws {
    #expect(try leaves([2: Pages.leaf([1: 1])]) == [2])
    let high: Pages.Content = [
      2: Pages.interior([6]), 6: Pages.interior([3, 4, 7]), 7: Pages.leaf([30: 1]),
    ]
    #expect(try leaves(high) == [3, 4, 7])
  }

  @Test func `a tree that contains itself is refused`() {
    #expect(throws: PageObstacle.damaged) { try leaves([2: Pages.interior([2, 4])]) }
    #expect(throws: PageObstacle.damaged) { try leaves([2: Pages.overflow(next: 0, 0)]) }
  }
}
