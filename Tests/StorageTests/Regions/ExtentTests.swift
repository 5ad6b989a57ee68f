import Testing

@testable import Storage

@Suite struct ExtentTests {
  private let all = Extent<Int>.all
  private let none = Extent<Int>.some([])
  private let odd = Extent.some([1, 3])
  private let low = Extent.some([1, 2])

  @Test func `a union with all elements is all elements`() {
    #expect(odd.union(low) == .some([1, 2, 3]))
    #expect(odd.union(all) == all)
    #expect(all.union(none) == all)
  }

  @Test func `an intersection with all elements is the other extent`() {
    #expect(odd.intersection(low) == .some([1]))
    #expect(odd.intersection(all) == odd)
    #expect(all.intersection(none) == none)
  }

  @Test func `extents overlap if they have an element in common`() {
    #expect(odd.overlaps(low))
    #expect(!odd.overlaps(.some([2])))
    #expect(!none.overlaps(odd))
    #expect(all.overlaps(odd))
    #expect(none.overlaps(all))
  }

  @Test func `no elements stand for all`() {
    #expect(Extent<Int>(nil) == all)
    #expect(Extent([1, 3]) == odd)
    #expect(all.isAll && !none.isAll)
  }
}
