internal import Storage

/// What was fetched of a result: all of it, or the part that fits the window.
struct PaneContents: Equatable, Sendable {
  /// The rows that were fetched.
  var result: WatchedResult
  /// The index of the first fetched row in the result.
  var offset = 0
  /// The number of rows of the result, as far as it is known.
  var count: Int
  /// Whether ``count`` was counted in the state that was fetched.
  var isCountExact = true
  /// Whether all rows of the result were fetched.
  var isWhole = true

  /// Returns the fetched rows with their changes.
  ///
  /// Of a part, only changes between two rows that both states contain are certain: other rows may
  /// have moved into the part or out of it.
  func marked(since previous: PaneContents?) -> [MarkedRow] {
    let rows = RowDiff.mark(result, since: previous?.result)
    guard let previous, !(isWhole && previous.isWhole) else { return rows }
    let isKept = rows.map { row in
      switch row.mark {
      case .unchanged, .changed: true
      case .added, .removed: false
      }
    }
    let first = offset == 0 ? 0 : isKept.firstIndex(of: true) ?? rows.count
    let isEnd = offset + result.rows.count >= count && isCountExact
    let last = isEnd ? rows.count : isKept.lastIndex(of: true) ?? -1
    return rows.enumerated().compactMap { index, row in
      guard !isKept[index], index < first || index > last else { return row }
      return row.mark == .removed ? nil : MarkedRow(values: row.values, mark: .unchanged)
    }
  }
}
