import Storage
import Testing

@Suite struct SetCursorTests {
  typealias Source = CountingCursor<Int>

  @Test func `CUR-13, CUR-16: a set can collect a cursor`() throws {
    #expect(try Set(Source([1, 2, 1])) == [1, 2])
    let set = try Set(Source([1, 2]), minimumCapacity: 100)
    #expect(set == [1, 2])
    #expect(set.capacity >= 100)
  }

  @Test func `A-039: a set supports set operations with a cursor`() throws {
    let set: Set = [1, 2, 3]
    #expect(try set.union(Source([3, 4])) == [1, 2, 3, 4])
    #expect(try set.intersection(Source([3, 4, 1])) == [1, 3])
    var changing = set
    try changing.formUnion(Source([5]))
    #expect(changing == [1, 2, 3, 5])
    try changing.formIntersection(Source([5, 1, 6]))
    #expect(changing == [1, 5])
    #expect(throws: Source.Failure.self) {
      try changing.formIntersection(Source([5, 1], failingAt: 2))
    }
    #expect(changing == [1, 5])
  }
}
