import Storage
import Testing

/// The operators that read a cursor, in part or to its end, and return a value.
@Suite struct ConsumingCursorTests {
  typealias Source = CountingCursor<Int>
  var source: Source { Source([3, 1, 4, 1, 5]) }
  var empty: Source { Source([]) }

  @Test func `CUR-18: contains stops at the first match`() throws {
    let cursor = source
    #expect(try cursor.contains(4))
    #expect(cursor.calls == 3)
    #expect(try cursor.contains { $0 == 1 })
    #expect(cursor.calls == 4)
    #expect(try !cursor.contains(9))
    #expect(try !empty.contains { _ in true })
  }

  @Test func `CUR-24: first stops at the first match`() throws {
    let cursor = source
    #expect(try cursor.first() == 3)
    #expect(cursor.calls == 1)
    #expect(try cursor.first { $0 > 3 } == 4)
    #expect(cursor.calls == 3)
    #expect(try cursor.first { $0 > 5 } == nil)
    #expect(try empty.first() == nil)
  }

  @Test func `A-039: isEmpty asks for one element`() throws {
    let cursor = Source([1])
    #expect(try !cursor.isEmpty())
    #expect(cursor.calls == 1)
    #expect(try cursor.isEmpty())
  }

  @Test func `CUR-29, CUR-30, CUR-31, CUR-32: min and max`() throws {
    #expect(try source.min() == 1)
    #expect(try source.max() == 5)
    #expect(try source.min(by: >) == 5)
    #expect(try source.max(by: >) == 1)
    #expect(try empty.min() == nil)
    #expect(try empty.max() == nil)
    // Of equal ones, what `Sequence` takes.
    let pairs = [(1, "a"), (0, "b"), (1, "c"), (0, "d")]
    #expect(try CountingCursor(pairs).min { $0.0 < $1.0 }?.1 == pairs.min { $0.0 < $1.0 }?.1)
    #expect(try CountingCursor(pairs).max { $0.0 < $1.0 }?.1 == pairs.max { $0.0 < $1.0 }?.1)
  }

  @Test func `CUR-36, CUR-37: reduce`() throws {
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

  @Test func `CUR-26: forEach takes what is left`() throws {
    let cursor = source
    _ = try cursor.next()
    var numbers: [Int] = []
    try cursor.forEach { numbers.append($0) }
    #expect(numbers == [1, 4, 1, 5])
  }

  @Test(arguments: 0...7)
  func `CUR-20, CUR-38: dropLast and suffix are those of an array`(count: Int) throws {
    let array = [3, 1, 4, 1, 5]
    #expect(try source.dropLast(count) == Array(array.dropLast(count)))
    #expect(try source.suffix(count) == Array(array.suffix(count)))
    #expect(try empty.suffix(count) == [])
    let read = source
    _ = try read.suffix(count)
    #expect(try read.next() == nil)
  }

  @Test func `an error ends the reading`() {
    let failing = { Source([3, 1, 4], failingAt: 3) }
    #expect(throws: Source.Failure.self) { try Array(failing()) }
    #expect(throws: Source.Failure.self) { try failing().reduce(0, +) }
    #expect(throws: Source.Failure.self) { try failing().max() }
    #expect(throws: Source.Failure.self) { try failing().suffix(1) }
    #expect(throws: Source.Failure.self) { try failing().contains(4) }
    #expect(throws: Never.self) { try failing().contains(1) }
  }
}
