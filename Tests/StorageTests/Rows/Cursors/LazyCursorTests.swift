import Storage
import Testing

@testable import StorageTestSupport

/// The operators that return a cursor over another cursor. Each yields the elements of the same
/// operator of `Sequence`, requests only the elements that it needs, and rethrows errors.
@Suite struct LazyCursorTests {
  typealias Source = CountingCursor<Int>
  struct Stop: Error {}

  struct Operator: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let expected: [String]
    /// The number of elements that are requested from the base for the first element.
    let callsForFirst: Int
    let apply: @Sendable (Source) -> AnyCursor<String>
  }

  /// Each operator is applied to the numbers 3, 1, 4, 1, 5.
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

  @Test(arguments: operators)
  func `a lazy operator computes only the requested elements`(tested: Operator) throws {
    let source = Source([3, 1, 4, 1, 5])
    let cursor = tested.apply(source)
    #expect(source.calls == 0, "no element is computed before it is requested")
    #expect(try cursor.next() == tested.expected.first)
    #expect(source.calls == tested.callsForFirst)
    #expect(try Array(cursor) == Array(tested.expected.dropFirst()))
    for _ in 0..<3 { #expect(try cursor.next() == nil, "CUR-06: the end is final") }
  }

  @Test(arguments: operators)
  func `an error of the base is rethrown, and the cursor can continue`(tested: Operator) throws {
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
      // An element that is never requested cannot fail.
      #expect(failures == (call <= source.calls ? 1 : 0))
    }
  }

  @Test func `an error of a closure is rethrown`() {
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

  @Test func `CUR-25: flatMap can run a query for each row of another query`() throws {
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

  @Test func `CUR-04: the database computes a row only when it is requested`() throws {
    try withDatabase { db in
      let sql = """
        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)
        SELECT CASE WHEN n > 4 THEN abs(-9223372036854775807 - n) ELSE n END FROM c
        """
      let squares = try Int.fetchCursor(db, sql: sql).map { $0 * $0 }.prefix(3)
      #expect(try Array(squares) == [1, 4, 9])
    }
  }

  @Test func `a negative count stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Source([1]).prefix(-1)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("The length of a prefix must not be negative, but it is -1."))
  }
}
