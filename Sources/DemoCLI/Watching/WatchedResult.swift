internal import Storage

/// The result of a watched query at one moment.
struct WatchedResult: Equatable, Sendable {
  /// The names of the columns, which need not be unique.
  var columns: [String]

  /// The values of the rows.
  var rows: [[DatabaseValue]]

  /// The key of each row, in the order of ``rows``; `nil` if the whole row is its key.
  var keys: [[DatabaseValue]]?

  init(columns: [String], rows: [[DatabaseValue]], keys: [[DatabaseValue]]? = nil) {
    self.columns = columns
    self.rows = rows
    self.keys = keys
  }

  /// Returns two results without the rows at their start and at their end that have the same place
  /// in the memory, keys included.
  func withoutSharedEnds(with other: WatchedResult) -> (WatchedResult, WatchedResult) {
    guard columns == other.columns, (keys == nil) == (other.keys == nil) else {
      return (self, other)
    }
    let shorter = min(rows.count, other.rows.count)
    func isShared(_ index: Int, _ otherIndex: Int) -> Bool {
      Self.isShared(rows[index], other.rows[otherIndex])
        && (keys == nil || Self.isShared(keys![index], other.keys![otherIndex]))
    }
    var start = 0
    while start < shorter, isShared(start, start) { start += 1 }
    var end = 0
    while end < shorter - start, isShared(rows.count - 1 - end, other.rows.count - 1 - end) {
      end += 1
    }
    return (
      part(start..<(rows.count - end)), other.part(start..<(other.rows.count - end))
    )
  }

  private static func isShared(_ row: [DatabaseValue], _ other: [DatabaseValue]) -> Bool {
    row.withUnsafeBufferPointer { row in
      other.withUnsafeBufferPointer { row.baseAddress == $0.baseAddress }
    }
  }

  private func part(_ range: Range<Int>) -> WatchedResult {
    WatchedResult(columns: columns, rows: Array(rows[range]), keys: keys.map { Array($0[range]) })
  }

  /// Returns the key of a row.
  func key(ofRow index: Int) -> [DatabaseValue] {
    keys?[index] ?? rows[index]
  }
}
