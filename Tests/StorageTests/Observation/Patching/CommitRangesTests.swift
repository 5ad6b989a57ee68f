import Testing

@testable import Storage

@Suite("The commits that were announced") struct CommitRangesTests {
  private func ranges(_ numbers: [UInt64]) -> CommitRanges {
    var ranges = CommitRanges()
    for number in numbers { ranges.insert(CommitNumber(number)) }
    return ranges
  }

  private func contains(_ ranges: CommitRanges, _ first: UInt64, _ last: UInt64) -> Bool {
    ranges.contains(after: CommitNumber(first), upTo: CommitNumber(last))
  }

  @Test func `commits count as announced only without a gap`() {
    let ranges = ranges([1, 2, 3, 5, 6])
    #expect(contains(ranges, 0, 3))
    #expect(contains(ranges, 4, 6))
    #expect(!contains(ranges, 2, 5))
    #expect(!contains(ranges, 5, 7))
    #expect(contains(ranges, 9, 9))
    #expect(!contains(ranges, 6, 5))
  }

  @Test func `a late commit closes the gap`() {
    let ranges = ranges([1, 3, 4, 2, 2])
    #expect(contains(ranges, 0, 4))
  }

  @Test func `only the last ranges are kept`() {
    let ranges = ranges((0..<40).map { $0 * 2 })
    #expect(!contains(ranges, 1, 2))
    #expect(contains(ranges, 77, 78))
  }
}
