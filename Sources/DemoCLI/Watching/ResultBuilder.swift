internal import Storage

/// A result that is read row by row, and that shares unchanged rows with an earlier result.
struct ResultBuilder {
  /// The rows so far, without the columns of the key.
  private(set) var rows: [[DatabaseValue]] = []
  /// The keys so far, if they are read from columns at the end.
  private(set) var keys: [[DatabaseValue]] = []

  private let previous: WatchedResult
  /// The number of columns at the end that are only read as the key of a row.
  private let keyCount: Int
  private let columnCount: Int
  /// The index of the earlier row that is expected next.
  private var expected = 0
  /// The number of rows since the last one that was found in the earlier result.
  private var missCount = 0

  init(sharing previous: WatchedResult?, columnCount: Int, keyCount: Int) {
    self.keyCount = keyCount
    self.columnCount = columnCount - keyCount
    let isUsable = previous.map { keyCount == 0 || $0.keys?.first?.count == keyCount } ?? false
    self.previous = isUsable ? previous! : WatchedResult(columns: [], rows: [])
    rows.reserveCapacity(self.previous.rows.count)
    if keyCount > 0 { keys.reserveCapacity(self.previous.rows.count) }
  }

  /// Adds the row that a cursor has yielded.
  mutating func append(_ row: Row) {
    if let index = earlierIndex(of: row) {
      rows.append(previous.rows[index])
      if keyCount > 0 { keys.append(previous.keys![index]) }
      expected = index + 1
      missCount = 0
    } else {
      rows.append((0..<columnCount).map { row.databaseValue(at: $0) })
      if keyCount > 0 {
        keys.append((columnCount..<(columnCount + keyCount)).map { row.databaseValue(at: $0) })
      }
      expected += 1
    }
  }

  /// Returns the index of an equal row in the earlier result, or `nil` when none is found.
  ///
  /// It is searched for near the expected index only. The more rows in succession were not found,
  /// the wider the search, and the rarer: so a search costs little for each row.
  private mutating func earlierIndex(of row: Row) -> Int? {
    if expected < previous.rows.count, isEqual(row, toRowAt: expected) { return expected }
    missCount += 1
    guard missCount & (missCount - 1) == 0 else { return nil }
    let start = max(0, expected - 2 * missCount)
    let end = min(previous.rows.count, expected + 2 * missCount + 1)
    return start < end ? (start..<end).first { isEqual(row, toRowAt: $0) } : nil
  }

  private func isEqual(_ row: Row, toRowAt index: Int) -> Bool {
    let values = previous.rows[index]
    guard values.count == columnCount else { return false }
    for column in 0..<columnCount where !isEqual(row, column, to: values[column]) { return false }
    guard keyCount > 0, let key = previous.keys?[index] else { return true }
    for column in 0..<keyCount where !isEqual(row, columnCount + column, to: key[column]) {
      return false
    }
    return true
  }

  private func isEqual(_ row: Row, _ column: Int, to value: DatabaseValue) -> Bool {
    (try? row.decode(BorrowedColumn.self, atIndex: column))?.isIdentical(to: value) == true
  }
}
