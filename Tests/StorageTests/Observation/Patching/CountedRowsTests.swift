import Testing

@testable import Storage

@Suite("Rows that are counted") struct CountedRowsTests {
  @Test func `rows leave and come`() {
    let rows = CountedRows([1, 2, 3])
    let difference = rows.difference(of: [2, 3, 4, 5], matching: [3, 4])
    #expect(difference.left == [2])
    #expect(difference.arrived == [4])
    #expect(difference.count == 3)
    rows.apply(difference)
    #expect(rows.difference(of: [1, 2, 3, 4, 5], matching: []).left == [1, 3, 4])
  }

  @Test func `nothing is known when all known rows of many have left`() {
    let rows = CountedRows([1, 2], capacity: 2)
    #expect(rows.difference(of: [1], matching: []).count == 1)
    #expect(rows.difference(of: [1, 2], matching: []).count == nil)
    #expect(rows.difference(of: [1, 2, 7], matching: [7]).count == 1)
  }

  @Test func `a row takes at most 24 bytes, also after most rows have left`() {
    for count in [1000, 1537, 3000, 3073, 10_000] {
      let rows = CountedRows((0..<count).map { Int64($0) })
      var ids = Int64(0)..<Int64(count)
      while ids.count > 200 {
        #expect(rows.memory <= 24 * ids.count)
        let leaving = ids.prefix(100)
        rows.apply(rows.difference(of: Set(leaving), matching: []))
        ids = ids.lowerBound + 100..<ids.upperBound
        #expect(rows.count == ids.count)
      }
    }
  }

  @Test func `no more rows than the capacity are kept`() {
    let rows = CountedRows([1], capacity: 2)
    #expect(rows.difference(of: [1], matching: []).count == 0)
    rows.apply(rows.difference(of: [2, 3, 4], matching: [2, 3, 4]))
    #expect(rows.count == 2)
    let none = rows.difference(of: [1, 2, 3, 4], matching: [])
    #expect(none.count == nil)
  }
}
