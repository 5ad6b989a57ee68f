import Storage
import Testing

@Suite struct CursorSuffixTests {
  typealias Source = CountingCursor<Int>
  var source: Source { Source([3, 1, 4, 1, 5]) }
  var empty: Source { Source([]) }

  @Test(arguments: 0...7)
  func `CUR-20, CUR-38: dropLast and suffix return the same elements as for an array`(count: Int)
    throws
  {
    let array = [3, 1, 4, 1, 5]
    #expect(try source.dropLast(count) == Array(array.dropLast(count)))
    #expect(try source.suffix(count) == Array(array.suffix(count)))
    #expect(try empty.suffix(count) == [])
    let read = source
    _ = try read.suffix(count)
    #expect(try read.next() == nil)
  }

  @Test func `an error of the cursor is thrown`() {
    let failing = { Source([3, 1, 4], failingAt: 3) }
    #expect(throws: Source.Failure.self) { try failing().suffix(1) }
  }
}
