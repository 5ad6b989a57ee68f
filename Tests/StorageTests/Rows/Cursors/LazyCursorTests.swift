import Storage
import Testing

/// The operators that make a cursor of a cursor. Each yields what the operator of `Sequence` yields,
/// asks its base for no more than it needs, and passes errors on.
@Suite struct LazyCursorTests {
  typealias Source = CountingCursor<Int>
  struct Stop: Error {}

  struct Operator: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let expected: [String]
    /// How often the base is asked for the first element.
    let callsForFirst: Int
    let apply: @Sendable (Source) -> AnyCursor<String>
  }

  /// Over the numbers 3, 1, 4, 1, 5.
  static let operators: [Operator] = [
    Operator(testDescription: "CUR-33: map", expected: ["3", "1", "4", "1", "5"], callsForFirst: 1)
    {
      AnyCursor($0.map(String.init))
    },
    Operator(testDescription: "CUR-17: compactMap", expected: ["1", "1"], callsForFirst: 2) {
      AnyCursor($0.compactMap { $0 < 3 ? String($0) : nil })
    },
    Operator(testDescription: "CUR-23: filter", expected: ["4", "5"], callsForFirst: 3) {
      AnyCursor($0.filter { $0 > 3 }.map(String.init))
    },
    Operator(
      testDescription: "CUR-19: dropFirst",
      expected: ["1", "4", "1", "5"],
      callsForFirst: 2
    ) {
      AnyCursor($0.dropFirst().map(String.init))
    },
    Operator(testDescription: "CUR-19: dropFirst(3)", expected: ["1", "5"], callsForFirst: 4) {
      AnyCursor($0.dropFirst(3).map(String.init))
    },
    Operator(
      testDescription: "dropFirst(0)",
      expected: ["3", "1", "4", "1", "5"],
      callsForFirst: 1
    ) {
      AnyCursor($0.dropFirst(0).map(String.init))
    },
    Operator(testDescription: "CUR-21: drop(while:)", expected: ["4", "1", "5"], callsForFirst: 3) {
      AnyCursor($0.drop(while: { $0 < 4 }).map(String.init))
    },
    Operator(testDescription: "CUR-34: prefix", expected: ["3", "1"], callsForFirst: 1) {
      AnyCursor($0.prefix(2).map(String.init))
    },
    Operator(testDescription: "CUR-35: prefix(while:)", expected: ["3", "1"], callsForFirst: 1) {
      AnyCursor($0.prefix(while: { $0 < 4 }).map(String.init))
    },
    Operator(
      testDescription: "CUR-22: enumerated",
      expected: ["0-3", "1-1", "2-4", "3-1", "4-5"],
      callsForFirst: 1
    ) { AnyCursor($0.enumerated().map { "\($0.offset)-\($0.element)" }) },
    Operator(
      testDescription: "CUR-25: flatMap over sequences",
      expected: ["1", "2", "3", "1", "1", "2", "3", "4", "1", "1", "2", "3", "4", "5"],
      callsForFirst: 1
    ) { AnyCursor($0.flatMap { 1...$0 }.map(String.init)) },
    Operator(
      testDescription: "CUR-25: flatMap over cursors",
      expected: ["3", "4", "4", "4"],
      callsForFirst: 1
    ) { AnyCursor($0.flatMap { n in Source(n < 3 ? [] : [n, 4]) }.prefix(4).map(String.init)) },
    Operator(testDescription: "CUR-27: joined sequences", expected: ["3", "1"], callsForFirst: 1) {
      AnyCursor($0.map { [$0] }.joined().prefix(2).map(String.init))
    },
    Operator(testDescription: "CUR-27: joined cursors", expected: ["3", "1"], callsForFirst: 1) {
      AnyCursor($0.map { Source([$0]) }.joined().prefix(2).map(String.init))
    },
    Operator(
      testDescription: "CUR-39: a chain",
      expected: ["0:8"],
      callsForFirst: 3
    ) {
      AnyCursor(
        $0.map { $0 * 2 }.filter { $0 > 6 }.prefix(1).enumerated().map {
          "\($0.offset):\($0.element)"
        }
      )
    },
  ]

  @Test("a lazy operator", arguments: operators)
  func lazy(tested: Operator) throws {
    let source = Source([3, 1, 4, 1, 5])
    let cursor = tested.apply(source)
    #expect(source.calls == 0, "nothing is computed before it is asked for")
    #expect(try cursor.next() == tested.expected.first)
    #expect(source.calls == tested.callsForFirst)
    #expect(try Array(cursor) == Array(tested.expected.dropFirst()))
    for _ in 0..<3 { #expect(try cursor.next() == nil, "CUR-06: the end is final") }
  }

  @Test("an error of the base passes through, and the cursor goes on", arguments: operators)
  func failing(tested: Operator) throws {
    for call in 1...5 {
      let source = Source([3, 1, 4, 1, 5], failingAt: call)
      let cursor = tested.apply(source)
      var elements: [String] = []
      var failures = 0
      while true {
        do {
          guard let element = try cursor.next() else { break }
          elements.append(element)
        } catch is Source.Failure {
          failures += 1
        }
      }
      #expect(elements == tested.expected)
      // What is never asked for cannot fail.
      #expect(failures == (call <= source.calls ? 1 : 0))
    }
  }

  @Test func `an error of a closure passes through`() {
    let one = { Source([1]) }
    #expect(throws: Stop.self) { try one().map { _ -> Int in throw Stop() }.next() }
    #expect(throws: Stop.self) { try one().compactMap { _ -> Int? in throw Stop() }.next() }
    #expect(throws: Stop.self) { try one().filter { _ in throw Stop() }.next() }
    #expect(throws: Stop.self) { try one().drop(while: { _ in throw Stop() }).next() }
    #expect(throws: Stop.self) { try one().prefix(while: { _ in throw Stop() }).next() }
    #expect(throws: Stop.self) { try one().flatMap { _ -> [Int] in throw Stop() }.next() }
  }

  @Test func `CUR-34: a prefix computes no more than it yields`() throws {
    let source = Source([1, 2, 3])
    #expect(try Array(source.prefix(2)) == [1, 2])
    #expect(source.calls == 2)
    #expect(try source.prefix(0).next() == nil)
    #expect(source.calls == 2)
    #expect(try Array(source.prefix(9)) == [3])
  }

  @Test func `A-039: any cursor hides a cursor, a sequence or a closure`() throws {
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

  @Test func `CUR-25: a query may be run for each row of another`() throws {
    try withDatabase { db in
      let counts = try Int.fetchCursor(db, sql: "SELECT column1 FROM (VALUES (2), (0), (3))")
      let numbers = counts.flatMap { count in
        try Int.fetchCursor(
          db,
          sql: """
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c LIMIT ?
            """,
          arguments: [count]
        )
      }
      #expect(try Array(numbers) == [1, 2, 1, 2, 3])
    }
  }

  @Test func `CUR-04: the database computes a row when it is asked for`() throws {
    try withDatabase { db in
      let sql = """
        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)
        SELECT CASE WHEN n > 4 THEN abs(-9223372036854775807 - n) ELSE n END FROM c
        """
      let squares = try Int.fetchCursor(db, sql: sql).map { $0 * $0 }.prefix(3)
      #expect(try Array(squares) == [1, 4, 9])
    }
  }

  @Test func `a count that is negative stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Source([1]).prefix(-1)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("prefix takes a length that is not negative, not -1."))
  }
}
