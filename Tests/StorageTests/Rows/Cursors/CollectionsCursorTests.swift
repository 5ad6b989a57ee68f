import Storage
import Testing

@Suite struct CollectionsCursorTests {
  typealias Source = CountingCursor<Int>

  @Test func `CUR-12, CUR-16: a cursor feeds every collection that can grow`() throws {
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

  @Test func `CUR-13, CUR-16: a cursor feeds a set`() throws {
    #expect(try Set(Source([1, 2, 1])) == [1, 2])
    let set = try Set(Source([1, 2]), minimumCapacity: 100)
    #expect(set == [1, 2])
    #expect(set.capacity >= 100)
  }

  @Test func `A-039: a set combines with a cursor`() throws {
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

  @Test func `CUR-14, CUR-16: a cursor feeds a dictionary by grouping`() throws {
    let grouped = try Dictionary(grouping: Source([1, 2, 3, 4]), by: { $0 % 2 })
    #expect(grouped == [0: [2, 4], 1: [1, 3]])
    let roomy = try Dictionary(minimumCapacity: 100, grouping: Source([1]), by: { $0 })
    #expect(roomy == [1: [1]])
    #expect(roomy.capacity >= 100)
  }

  @Test func `CUR-15, CUR-16: a cursor feeds a dictionary with keys and values`() throws {
    let pairs = { Source([1, 2]).map { ($0, "\($0)") } }
    #expect(try Dictionary(uniqueKeysWithValues: pairs()) == [1: "1", 2: "2"])
    let roomy = try Dictionary(minimumCapacity: 100, uniqueKeysWithValues: pairs())
    #expect(roomy == [1: "1", 2: "2"])
    #expect(roomy.capacity >= 100)
    let repeated = Source([1, 2, 1]).enumerated().map { ($0.element, $0.offset) }
    #expect(try Dictionary(repeated, uniquingKeysWith: { $0 * 10 + $1 }) == [1: 2, 2: 1])
  }

  @Test func `a key that comes twice stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Dictionary(uniqueKeysWithValues: Source([1, 1]).map { ($0, $0) })
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("A cursor yields the key 1 twice"))
  }

  @Test func `CUR-11, ROW-13: rows that are kept are copies`() throws {
    try withDatabase { db in
      let cursor = {
        try Row.fetchCursor(db, sql: "SELECT column1 AS n FROM (VALUES (3), (1), (2))")
      }
      let rows = [3, 1, 2].map { Row(["n": $0]) }
      #expect(try Array(cursor()) == rows)
      #expect(try Array(cursor().filter { $0["n"] > 1 }) == [rows[0], rows[2]])
      #expect(try Set(cursor()) == Set(rows))
      #expect(try cursor().suffix(2) == [rows[1], rows[2]])
      #expect(try cursor().dropLast() == [rows[0], rows[1]])
      #expect(try cursor().min { $0["n"] < $1["n"] as Int } == rows[1])
      #expect(try cursor().max { $0["n"] < $1["n"] as Int } == rows[0])
      #expect(try Dictionary(grouping: cursor(), by: { $0["n"] as Int })[1] == [rows[1]])
      let byNumber = try Dictionary(uniqueKeysWithValues: cursor().map { ($0["n"] as Int, $0) })
      #expect(byNumber == [3: rows[0], 1: rows[1], 2: rows[2]])
      let first = try cursor().first()
      #expect(first == rows[0])
    }
  }
}
