/// The rows that two results do not share, and where shared rows stand between them.
///
/// After most commits, nearly all rows of a result are shared with the result before: see
/// ``ResultReader``. The other rows are found without reading the rows themselves.
enum SharedRows {
  /// How many rows in succession of both results are looked at to find the next shared one. With
  /// more of them, the remaining rows of both results are treated as different.
  private static let widestGap = 200

  /// Returns two results without the rows that they share. The shared row before a remaining row
  /// stays, so that the place of the remaining row is known.
  static func remove(
    from next: WatchedResult,
    _ previous: WatchedResult
  ) -> (next: WatchedResult, previous: WatchedResult) {
    guard next.columns == previous.columns, next.key == previous.key else {
      return (next, previous)
    }
    let (kept, keptPrevious) = next.withAddresses { rows in
      previous.withAddresses { others in differences(rows, others) }
    }
    return (next.part(kept.joined()), previous.part(keptPrevious.joined()))
  }

  private typealias Addresses = WatchedResult.RowAddresses

  /// Returns the ranges of rows that differ, each with the shared row before it.
  private static func differences(
    _ rows: Addresses,
    _ others: Addresses
  ) -> ([Range<Int>], [Range<Int>]) {
    let (end, otherEnd) = sharedEnd(rows, others)
    var (kept, keptOthers): ([Range<Int>], [Range<Int>]) = ([], [])
    var (row, other) = (0, 0)
    while true {
      while row < end, other < otherEnd, rows[row] == others[other] {
        row += 1
        other += 1
      }
      guard row < end || other < otherEnd else { return (kept, keptOthers) }
      let gap =
        gap(rows, row..<end, others, other..<otherEnd) ?? (end - row, otherEnd - other)
      kept.append(max(0, row - 1)..<(row + gap.0))
      keptOthers.append(max(0, other - 1)..<(other + gap.1))
      row += gap.0
      other += gap.1
    }
  }

  /// Returns where the rows that are not shared end in both results.
  private static func sharedEnd(_ rows: Addresses, _ others: Addresses) -> (Int, Int) {
    var (end, otherEnd) = (rows.count, others.count)
    while end > 0, otherEnd > 0, rows[end - 1] == others[otherEnd - 1] {
      end -= 1
      otherEnd -= 1
    }
    return (end, otherEnd)
  }

  /// Returns how many rows of both results come before the next shared row; `nil` if it is too far
  /// away.
  private static func gap(
    _ rows: Addresses,
    _ range: Range<Int>,
    _ others: Addresses,
    _ otherRange: Range<Int>
  ) -> (Int, Int)? {
    let (start, otherStart) = (range.lowerBound, otherRange.lowerBound)
    for width in 1...widestGap {
      for smaller in 0...width {
        for (count, otherCount) in [(width, smaller), (smaller, width)]
        where count < range.count && otherCount < otherRange.count {
          if rows[start + count] == others[otherStart + otherCount] { return (count, otherCount) }
        }
      }
    }
    return nil
  }
}
