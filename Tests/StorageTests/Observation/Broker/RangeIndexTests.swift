import Foundation
import TestSupport
import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct RangeIndexTests {
  private static let values: [DatabaseValue] =
    [.null] + (-3...3).map { Int64($0).databaseValue } + [0.5, -2.5].map { $0.databaseValue }
    + ["a", "B", "ab"].map { $0.databaseValue }

  private static let keys = values.compactMap { ValueKey($0, .blob, .noCase) }

  private func bound(_ random: inout SeededGenerator) -> ValueRange.Bound? {
    guard !random.chance(20), let key = Self.keys.randomElement(using: &random) else { return nil }
    return ValueRange.Bound(key: key, isIncluded: random.chance(50))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `each value finds the ranges that contain it`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var index = RangeIndex()
    var ranges: [QueryID: [ValueRange]] = [:]
    for step in 0..<400 {
      let id = QueryID(UInt64(random.number(in: 0..<40)))
      if random.chance(60) {
        let range = ValueRange(lower: bound(&random), upper: bound(&random))
        index.insert(id, range)
        if ranges[id]?.contains(range) != true { ranges[id, default: []].append(range) }
      } else if let range = ranges[id]?.popLast() {
        index.remove(id, range)
        // No other range of the observation is equal to the removed range.
      }
      guard step.isMultiple(of: 10) else { continue }
      for key in Self.keys {
        var found: Set<QueryID> = []
        index.forEach(containing: key) { found.formUnion($0) }
        let expected = ranges.filter { $0.value.contains { $0.contains(key) } }.map(\.key)
        #expect(found == Set(expected), "step \(step), \(key)")
      }
    }
    for (id, ranges) in ranges { for range in ranges { index.remove(id, range) } }
    #expect(index.isEmpty)
  }

  @Test func `values have the order of SQLite`() throws {
    let values: [DatabaseValue] = [
      .null, Int64.min.databaseValue, (-0x1p63 - 2048).databaseValue, (-1e300).databaseValue,
      (-1.5).databaseValue, (-1).databaseValue, 0.databaseValue, (-0.0).databaseValue,
      0.1.databaseValue, 1.databaseValue, 9_007_199_254_740_993.databaseValue,
      9_007_199_254_740_992.0.databaseValue, 9_007_199_254_740_992.5.databaseValue,
      Int64.max.databaseValue, 0x1p63.databaseValue, 1e300.databaseValue,
      Double.infinity.databaseValue, "".databaseValue, "a".databaseValue, "A".databaseValue,
      "a ".databaseValue, "a\0b".databaseValue, "A\0c".databaseValue, "ab".databaseValue,
      "B".databaseValue, "ä".databaseValue, "_".databaseValue, "[".databaseValue,
      Data().databaseValue, Data([0]).databaseValue, Data("a".utf8).databaseValue,
    ]
    try withDatabase { db in
      for collation in ["BINARY", "NOCASE", "RTRIM"] {
        let kind = try #require(RowKeyCollation(collation))
        for left in values {
          for right in values {
            guard left != .null, right != .null else { continue }
            let order = try Row.fetchOne(
              db,
              sql: "SELECT ?1 < ?2 COLLATE \(collation), ?1 = ?2 COLLATE \(collation)",
              arguments: [left, right]
            )
            let keys = [left, right].compactMap { ValueKey($0, .blob, kind) }
            #expect((keys[0] < keys[1]) == (order?[0] as Bool?), "\(left) \(right) \(collation)")
            #expect((keys[0] == keys[1]) == (order?[1] as Bool?), "\(left) \(right) \(collation)")
          }
        }
      }
    }
  }
}
