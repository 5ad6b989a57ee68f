internal import Storage

/// A result that is read row by row, and that shares unchanged rows with an earlier result.
struct ResultBuilder {
  /// The rows so far.
  private(set) var rows: [WatchedRow] = []

  private let previous: [WatchedRow]
  private let columnCount: Int
  /// The index of the earlier row that is expected next.
  private var expected = 0
  /// The number of rows since the last row that was found in the earlier result.
  private var missCount = 0

  init(sharing previous: WatchedResult?, columnCount: Int) {
    self.columnCount = columnCount
    self.previous = previous?.rows.rows ?? []
    rows.reserveCapacity(self.previous.count)
  }

  /// Adds the row that a cursor has yielded.
  mutating func append(_ row: Row) {
    if let index = earlierIndex(of: row) {
      rows.append(previous[index])
      expected = index + 1
      missCount = 0
    } else {
      rows.append(WatchedRow(row: row))
      expected += 1
    }
  }

  /// Returns the index of an equal row in the earlier result, or `nil` when none is found.
  ///
  /// It is searched for near the expected index only. The more rows in succession were not found,
  /// the wider the search, and the rarer: so a search costs little for each row.
  private mutating func earlierIndex(of row: Row) -> Int? {
    if expected < previous.count, isEqual(row, toRowAt: expected) { return expected }
    missCount += 1
    guard missCount & (missCount - 1) == 0 else { return nil }
    let start = max(0, expected - 2 * missCount)
    let end = min(previous.count, expected + 2 * missCount + 1)
    return start < end ? (start..<end).first { isEqual(row, toRowAt: $0) } : nil
  }

  private func isEqual(_ row: Row, toRowAt index: Int) -> Bool {
    let cells = previous[index].cells
    return cells.count == columnCount
      && cells.indices.allSatisfy { isEqual(row, $0, to: cells[$0]) }
  }

  private func isEqual(_ row: Row, _ column: Int, to value: DatabaseValue) -> Bool {
    (try? row.decode(BorrowedColumn.self, atIndex: column))?.isIdentical(to: value) == true
  }
}
