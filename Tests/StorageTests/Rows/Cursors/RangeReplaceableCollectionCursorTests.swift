import Storage
import Testing

@Suite struct RangeReplaceableCollectionCursorTests {
  typealias Source = CountingCursor<Int>

  @Test func `CUR-12, CUR-16: every range-replaceable collection can collect a cursor`() throws {
    #expect(try Array(Source([1, 2])) == [1, 2])
    let array = try Array(Source([1, 2]), minimumCapacity: 100)
    #expect(array == [1, 2])
    #expect(array.capacity >= 100)
    #expect(try ContiguousArray(Source([1, 2])) == [1, 2])
    #expect(try String(CountingCursor<Character>(["a", "b"])) == "ab")
    var grown = [0]
    try grown.append(contentsOf: Source([1, 2]))
    #expect(grown == [0, 1, 2])
  }

  @Test func `an error of the cursor is thrown`() {
    let failing = { Source([3, 1, 4], failingAt: 3) }
    #expect(throws: Source.Failure.self) { try Array(failing()) }
  }
}
