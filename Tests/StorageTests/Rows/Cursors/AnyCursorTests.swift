import Storage
import Testing

@Suite struct AnyCursorTests {
  typealias Source = CountingCursor<Int>

  @Test func `A-039: AnyCursor wraps a cursor, a sequence or a closure`() throws {
    #expect(try Array(AnyCursor(Source([1, 2]))) == [1, 2])
    #expect(try Array(AnyCursor(1...3)) == [1, 2, 3])
    var count = 0
    let counting = AnyCursor<Int> {
      count += 1
      return count < 3 ? count : nil
    }
    #expect(try Array(counting) == [1, 2])
    #expect(try Array(IteratorCursor([7, 8].makeIterator())) == [7, 8])
  }
}
