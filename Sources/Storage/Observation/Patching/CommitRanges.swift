/// The numbers of the commits of which a broker has been notified.
///
/// The numbers mostly come one after the other. Numbers of foreign commits that only another pool
/// can see never come.
struct CommitRanges: Sendable {
  private static let maximumCount = 16

  private var ranges: [ClosedRange<UInt64>] = []

  mutating func insert(_ number: CommitNumber) {
    let number = number.rawValue
    if let last = ranges.last, last.upperBound + 1 == number {
      ranges[ranges.count - 1] = last.lowerBound...number
      return
    }
    if ranges.contains(where: { $0.contains(number) }) { return }
    ranges.append(number...number)
    merge()
    if ranges.count > Self.maximumCount { ranges.removeFirst() }
  }

  private mutating func merge() {
    ranges.sort { $0.lowerBound < $1.lowerBound }
    var merged: [ClosedRange<UInt64>] = []
    for range in ranges {
      if let last = merged.last, last.upperBound + 1 == range.lowerBound {
        merged[merged.count - 1] = last.lowerBound...range.upperBound
      } else {
        merged.append(range)
      }
    }
    ranges = merged
  }

  /// Whether all commits after one number and up to another one have been announced.
  func contains(after first: CommitNumber, upTo last: CommitNumber) -> Bool {
    guard first < last else { return first == last }
    return ranges.contains {
      $0.lowerBound <= first.rawValue + 1 && last.rawValue <= $0.upperBound
    }
  }
}
