import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DictionaryCursorTests {
  typealias Source = CountingCursor<Int>

  @Test func `CUR-14, CUR-16: a dictionary can group the elements of a cursor`() throws {
    let grouped = try Dictionary(grouping: Source([1, 2, 3, 4]), by: { $0 % 2 })
    #expect(grouped == [0: [2, 4], 1: [1, 3]])
    let roomy = try Dictionary(minimumCapacity: 100, grouping: Source([1]), by: { $0 })
    #expect(roomy == [1: [1]])
    #expect(roomy.capacity >= 100)
  }

  @Test func `CUR-15, CUR-16: a dictionary can collect the key-value pairs of a cursor`() throws {
    let pairs = { Source([1, 2]).map { ($0, "\($0)") } }
    #expect(try Dictionary(uniqueKeysWithValues: pairs()) == [1: "1", 2: "2"])
    let roomy = try Dictionary(minimumCapacity: 100, uniqueKeysWithValues: pairs())
    #expect(roomy == [1: "1", 2: "2"])
    #expect(roomy.capacity >= 100)
    let repeated = Source([1, 2, 1]).enumerated().map { ($0.element, $0.offset) }
    #expect(try Dictionary(repeated, uniquingKeysWith: { $0 * 10 + $1 }) == [1: 2, 2: 1])
  }

  @Test func `a duplicate key throws`() {
    expectDatabaseError(
      .SQLITE_MISUSE,
      "a cursor yields the key 1 twice: use init(_:uniquingKeysWith:) to choose a value"
    ) { _ = try Dictionary(uniqueKeysWithValues: Source([1, 1]).map { ($0, $0) }) }
  }
}
