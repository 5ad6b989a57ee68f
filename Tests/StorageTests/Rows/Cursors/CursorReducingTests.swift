import Storage
import Testing

@Suite struct CursorReducingTests {
  typealias Source = CountingCursor<Int>
  var source: Source { Source([3, 1, 4, 1, 5]) }
  var empty: Source { Source([]) }

  @Test func `CUR-36, CUR-37: reduce combines the remaining elements`() throws {
    #expect(try source.reduce(0, +) == 14)
    #expect(try empty.reduce(7, +) == 7)
    #expect(try source.reduce(into: []) { $0.insert($1, at: 0) } == [5, 1, 4, 1, 3])
  }

  @Test func `CUR-28: joined(separator:) makes one string`() throws {
    #expect(try source.map(String.init).joined(separator: ", ") == "3, 1, 4, 1, 5")
    #expect(try source.map(String.init).joined() == "31415")
    #expect(try CountingCursor<Substring>([]).joined(separator: ", ") == "")
    #expect(try CountingCursor(["a"[...]]).joined(separator: ", ") == "a")
  }

  @Test func `CUR-26: forEach visits the remaining elements`() throws {
    let cursor = source
    _ = try cursor.next()
    var numbers: [Int] = []
    try cursor.forEach { numbers.append($0) }
    #expect(numbers == [1, 4, 1, 5])
  }

  @Test func `an error of the cursor is thrown`() {
    let failing = { Source([3, 1, 4], failingAt: 3) }
    #expect(throws: Source.Failure.self) { try failing().reduce(0, +) }
  }
}
