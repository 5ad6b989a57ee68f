internal import Storage

/// The fetched rows of a result: all rows, or the part that fits the window.
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
  /// The order and the filter of the rows.
  var order = PaneView.Order()
  /// The basis of ``offset``.
  var offsetBasis = OffsetBasis.rows
  /// Which changes of rows elsewhere are known.
  var changesElsewhere = KnownChanges.all
  /// Whether rows elsewhere may have changed since the last fetch, and the log, which names changed
  /// rows, does not name these.
  var hasUnnamedChanges = false
  /// Whether the log has named changed rows since the last fetch.
  var hasNamedChanges = false
  /// The index of the row that was to be at the top, if it is not the first fetched one.
  var topRow: Int?
  /// The indexes of the columns of the key.
  var keyColumns: [Int] = []
  /// The row ids of the part, if the rows are in their order.
  var rowIDs: RowIDs?
  /// The rows that were added at the end of a large result by the last change that added some.
  var appended: Appended?
  /// The row ids of rows elsewhere that the last commits have changed, as far as they are known.
  var changedElsewhere: Set<Int64> = []
  /// The row ids of rows that the last commits have deleted, in the part or elsewhere, as far as
  /// they are known.
  var deletedRows: Set<Int64> = []
  /// The rows that the last commit with changes has changed, if the rows are not in the order of
  /// their row ids.
  var sorted: SortedChanges?

  /// The basis of the index of the first fetched row.
  enum OffsetBasis {
    /// The rows before it, in the state that was fetched: the index is exact.
    case rows
    /// The index of an earlier part, which rows that have come or gone since have made wrong.
    case earlierPart
    /// The number of rows, as far as it is known: the part is the end.
    case count
  }

  /// Which changes of rows are known without reading all rows.
  enum KnownChanges {
    case unknown
    /// Not the deletions.
    case present
    case all
  }

  /// Changed rows of a sorted view.
  struct SortedChanges: Equatable, Sendable {
    /// The row ids of the part.
    var rowIDs: [Int64]
    var changed: Set<Int64>
    /// The number of changed rows before and after the part.
    var above = 0
    var below = 0

    /// Returns the rows of the part with the changes that are not marked yet.
    func marked(_ rows: [MarkedRow]) -> [MarkedRow] {
      var index = 0
      return rows.map { row in
        guard row.mark != .removed, index < rowIDs.count else { return row }
        defer { index += 1 }
        let isChanged = row.mark == .unchanged && changed.contains(rowIDs[index])
        return isChanged ? MarkedRow(values: row.values, mark: .changed([])) : row
      }
    }
  }

  /// The row ids of a part.
  struct RowIDs: Equatable, Sendable {
    var values: [Int64]
    /// All rows with these ids were fetched.
    var range: ClosedRange<Int64>
    /// The text that all rows contain: see ``PaneView/filter``.
    var filter: String
  }

  /// Rows at the end.
  struct Appended: Equatable, Sendable {
    /// The last row id before them.
    var last: Int64
    /// The number of the rows.
    var count: Int
  }

  /// The key of the first fetched row in a ``PaneMemory``; `nil` if another row could have the same
  /// key.
  var firstKey: Int? {
    if let id = rowIDs?.values.first ?? sorted?.rowIDs.first { return Int(id) }
    return result.rows.isEmpty || result.key == .wholeRow ? nil : result.keyHash(ofRow: 0)
  }

  /// Whether the last row of the result was fetched.
  var isEnd: Bool { offset + result.rows.count >= count }

  /// Returns whether other contents are the same, without regard to changes of rows elsewhere.
  func shows(_ other: PaneContents) -> Bool {
    var same = self
    same.changesElsewhere = other.changesElsewhere
    same.hasUnnamedChanges = other.hasUnnamedChanges
    same.hasNamedChanges = other.hasNamedChanges
    same.offsetBasis = other.offsetBasis
    return same == other
  }

  /// Returns whether other contents only differ in the numbers of the rows, which were counted or
  /// were to be counted.
  func becomes(_ other: PaneContents) -> Bool {
    var same = self
    same.isCountExact = other.isCountExact
    if !isCountExact, other.isCountExact { (same.count, same.offset) = (other.count, other.offset) }
    return isCountExact != other.isCountExact && same.shows(other)
  }

  /// Returns the fetched rows with their changes.
  ///
  /// Of a part, only changes between two rows that both states contain are certain: other rows may
  /// have moved into the part or out of it. Row ids say more: which rows both parts would contain.
  func marked(since previous: PaneContents?) -> [MarkedRow] {
    if let previous, hasRows(comparableTo: previous), let rowIDs, let others = previous.rowIDs {
      return marked(rowIDs, since: previous, others)
    }
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

  /// Whether the rows of two parts can be compared by their row ids. The parts have the same
  /// columns and the same filter: a row that is missing under another filter was not removed.
  func hasRows(comparableTo other: PaneContents) -> Bool {
    guard let rowIDs, let others = other.rowIDs else { return false }
    return rowIDs.filter == others.filter && result.columns == other.result.columns
      && !(isWhole && other.isWhole)
  }

  /// Returns the rows with their changes, as their row ids show them.
  private func marked(
    _ rowIDs: RowIDs,
    since previous: PaneContents,
    _ others: RowIDs
  ) -> [MarkedRow] {
    let former = Dictionary(
      zip(others.values, previous.result.rows),
      uniquingKeysWith: { first, _ in first }
    )
    let ids = Set(rowIDs.values)
    var removed = zip(others.values, previous.result.rows).filter { id, _ in
      rowIDs.range.contains(id) && !ids.contains(id)
    }[...]
    var marked: [MarkedRow] = []
    func takeRemoved(before id: Int64?) {
      while let (removedID, values) = removed.first, id.map({ removedID < $0 }) ?? true {
        removed.removeFirst()
        marked.append(MarkedRow(values: values, mark: .removed, rowID: removedID))
      }
    }
    for (id, values) in zip(rowIDs.values, result.rows) {
      takeRemoved(before: id)
      var mark = RowMark.unchanged
      if let old = former[id] {
        let columns = values.indices.filter { values[$0] != old[$0] }
        if !columns.isEmpty { mark = .changed(Set(columns)) }
      } else if others.range.contains(id) {
        mark = .added
      }
      marked.append(MarkedRow(values: values, mark: mark, rowID: id))
    }
    takeRemoved(before: nil)
    return marked
  }
}
