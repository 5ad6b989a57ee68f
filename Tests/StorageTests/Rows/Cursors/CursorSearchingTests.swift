import Storage
import Testing

@Suite struct CursorSearchingTests {
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

  @Test func `A-039: isEmpty consumes at most one element`() throws {
    let cursor = Source([1])
    #expect(try !cursor.isEmpty())
    #expect(cursor.calls == 1)
    #expect(try cursor.isEmpty())
  }

  @Test func `CUR-29, CUR-30, CUR-31, CUR-32: min and max are those of a sequence`() throws {
    #expect(try source.min() == 1)
    #expect(try source.max() == 5)
    #expect(try source.min(by: >) == 5)
    #expect(try source.max(by: >) == 1)
    #expect(try empty.min() == nil)
    #expect(try empty.max() == nil)
    // Of equal elements, the same one as `Sequence` returns.
    let pairs = [(1, "a"), (0, "b"), (1, "c"), (0, "d")]
    #expect(try CountingCursor(pairs).min { $0.0 < $1.0 }?.1 == pairs.min { $0.0 < $1.0 }?.1)
    #expect(try CountingCursor(pairs).max { $0.0 < $1.0 }?.1 == pairs.max { $0.0 < $1.0 }?.1)
  }

  @Test func `an error of the cursor is thrown`() {
    let failing = { Source([3, 1, 4], failingAt: 3) }
    #expect(throws: Source.Failure.self) { try failing().max() }
    #expect(throws: Source.Failure.self) { try failing().contains(4) }
    #expect(throws: Never.self) { try failing().contains(1) }
  }
}
