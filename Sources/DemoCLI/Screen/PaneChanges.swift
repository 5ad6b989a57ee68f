/// The rows of a large result that the last change has changed, as far as they are known: rows in a
/// fetched part, rows elsewhere that the log of the file names, and rows that were added at the
/// end. Where the log does not name them, a comparison of all rows finds them a while later.
struct PaneChanges {
  /// The marks of rows by their row ids.
  private var marks: [Int64: RowMark] = [:]
  /// The rows that the last change has added at the end.
  private var appended: PaneContents.Appended?
  /// The findings of a comparison, until the log names other changes.
  private var comparison: PaneComparison?
  /// By how many rows the offset of the fetched part differs from its index in the comparison.
  private var shift = 0
  /// Whether rows may have other indexes than in the comparison.
  private var isComparisonOld = false
  /// The number of changes after which the comparison is no longer shown.
  private var remainingChanges = 0
  /// While a fast writer changes the result, the findings of a comparison are shown for so many
  /// changes.
  private static let shownChanges = 10
  /// A comparison that a change has overtaken.
  private var overtaken: PaneComparison?
  /// The changes and the counts so far.
  private(set) var moment = Moment()
  /// Whether a comparison was asked for and has not ended.
  private(set) var awaitsComparison = false
  /// Whether the log has named changes since: the findings of that comparison are not the last
  /// change, and a later comparison could find them together with other changes.
  private(set) var isBehind = false
  /// Whether no comparison was asked for since. One is needed, which only remembers the rows.
  private(set) var becomesBehind = false

  /// Returns the rows of a part with the changes since another part; `nil` if nothing has changed.
  mutating func marked(_ new: PaneContents, since old: PaneContents) -> [MarkedRow]? {
    let rows = new.marked(since: old)
    let appended = new.appended == old.appended ? nil : new.appended
    guard
      appended != nil || !new.changedElsewhere.isEmpty || !new.deletedRows.isEmpty
        || rows.contains(where: { $0.mark != .unchanged })
    else { return nil }
    noteChange(new, namesRows: appended != nil)
    self.appended = appended
    marks = Dictionary(uniqueKeysWithValues: new.changedElsewhere.map { ($0, .changed([])) })
    for id in new.deletedRows { marks[id] = .removed }
    for row in rows where row.mark != .unchanged {
      // A removed row that is shown is not elsewhere.
      if let id = row.rowID { marks[id] = row.mark == .removed ? nil : row.mark }
    }
    return rows.map { row in
      guard row.mark == .unchanged, let id = row.rowID else { return row }
      return MarkedRow(values: row.values, mark: mark(ofRow: id), rowID: id)
    }
  }

  /// Returns the rows of a part with the changes that are known.
  func marked(_ part: PaneContents) -> [MarkedRow] {
    zip(part.rowIDs?.values ?? [], part.result.rows).map { id, values in
      MarkedRow(values: values, mark: mark(ofRow: id), rowID: id)
    }
  }

  private func mark(ofRow id: Int64) -> RowMark {
    if let mark = marks[id] { return mark }
    return appended.map { id > $0.last } == true ? .added : .unchanged
  }

  /// Returns the number of changed rows before and after a part.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - rows: Its rows, with the removed rows.
  /// - Returns: The numbers.
  func outside(_ part: PaneContents, _ rows: [MarkedRow]) -> (above: Int, below: Int) {
    guard !part.isWhole else { return (0, 0) }
    if let comparison {
      let first = part.offset + shift
      let outside = comparison.outside(
        first..<(first + part.result.rows.count),
        hasRowsAfter: !part.isEnd
      )
      // Removed rows that are shown are not outside.
      let shown = rows.prefix { $0.mark == .removed }.count
      let shownLast = rows.reversed().prefix { $0.mark == .removed }.count
      return (max(0, outside.above - shown), max(0, outside.below - shownLast))
    }
    if let sorted = part.sorted { return (sorted.above, sorted.below) }
    guard let first = part.rowIDs?.values.first, let last = part.rowIDs?.values.last
    else { return (0, 0) }
    let others = marks.keys.filter { id in appended.map { id <= $0.last } ?? true }
    var above = others.count { $0 < first }
    var below = others.count { $0 > last }
    if let appended {
      // They are the last rows of the result.
      let start = part.count - appended.count
      let end = part.offset + part.result.rows.count
      above += max(0, min(part.offset, part.count) - start)
      below += max(0, min(appended.count, part.count - end))
    }
    return (above, below)
  }
}

// MARK: - Comparisons

extension PaneChanges {
  /// The changes that were known when a comparison was asked for.
  struct Moment: Equatable, Sendable {
    /// Another one for each pane, since a table can be closed and opened again.
    fileprivate let pane = UInt64.random(in: .min ... .max)
    fileprivate var changes = 0
    fileprivate var offsets = 0
    fileprivate var comparisons = 0
  }

  /// Notes that a comparison is asked for.
  mutating func beginComparison() -> Moment {
    (awaitsComparison, becomesBehind) = (true, false)
    moment.comparisons += 1
    return moment
  }

  /// Drops all changes, because the rows are in another order or have other columns, or other rows
  /// are shown.
  mutating func reset() {
    let last = moment
    self = PaneChanges()
    moment = last
    moment.changes += 1
  }

  /// Notes that the fetched part has changed, or that rows were added at the end.
  mutating func noteChange(_ new: PaneContents, namesRows: Bool = false) {
    if new.changesElsewhere == .all {
      // Without names, it is a change that a comparison has found or is about to find.
      guard new.hasNamedChanges else { return }
      if awaitsComparison, !isBehind { (isBehind, becomesBehind) = (true, true) }
      (comparison, overtaken) = (nil, nil)
    }
    moment.changes += 1
    isComparisonOld = true
    if new.changesElsewhere == .unknown, !namesRows, remainingChanges > 0 {
      remainingChanges -= 1
    } else if comparison != nil {
      (overtaken, comparison) = (comparison, nil)
    }
  }

  /// Notes the basis of the index of the fetched part.
  ///
  /// - Parameters:
  ///   - new: The part.
  ///   - old: The part before, if only the database has changed since.
  mutating func noteOffset(_ new: PaneContents, since old: PaneContents?) {
    guard new.offsetBasis != .earlierPart else { return }
    moment.offsets += 1
    if new.isCountExact, let old, new.offset != old.offset + shift { isComparisonOld = true }
    shift = shiftOfEnd(new)
  }

  /// Returns by how many rows the offset of a part differs from its index in the comparison, unless
  /// it follows from an earlier part.
  private func shiftOfEnd(_ part: PaneContents) -> Int {
    guard part.offsetBasis == .count, let comparison else { return 0 }
    return comparison.rowCount - part.count
  }

  /// Notes the findings of a comparison.
  ///
  /// - Parameters:
  ///   - new: The changes; `nil` if they are not known.
  ///   - part: The part that is shown.
  ///   - offset: The index of the part when the comparison was asked for.
  ///   - start: The changes that were known then.
  ///   - isPaused: Whether the part that is shown may be an old one.
  /// - Returns: Whether these changes are the last ones.
  mutating func note(
    _ new: PaneComparison?,
    _ part: PaneContents,
    offset: Int,
    since start: Moment,
    isPaused: Bool
  ) -> Bool {
    guard start.pane == moment.pane else { return false }
    let wasBehind = isBehind
    if start.comparisons == moment.comparisons {
      (awaitsComparison, isBehind, becomesBehind) = (false, false, false)
    }
    guard let new, !wasBehind else {
      overtaken = nil
      return false
    }
    let isCurrent = start.changes == moment.changes
    guard !isPaused, isCurrent || part.changesElsewhere == .unknown else {
      overtaken = new
      return false
    }
    isComparisonOld = !isCurrent
    remainingChanges = isCurrent ? 0 : Self.shownChanges
    if isCurrent, start.offsets == moment.offsets, let top = new.top { shift = top - offset }
    // If nothing is left to find, the one before it has found the last change.
    let found = new.isEmpty ? overtaken : new
    overtaken = nil
    guard let found else { return false }
    comparison = found
    if part.offsetBasis == .count { shift = shiftOfEnd(part) }
    marks = [:]
    appended = nil
    return true
  }

  /// Returns the rows of a part with only the changes that a comparison has found.
  func compared(_ rows: [MarkedRow], _ part: PaneContents) -> [MarkedRow] {
    guard let comparison, !isComparisonOld, !part.isWhole else { return rows }
    var index = part.offset + shift
    return rows.compactMap { row in
      guard row.mark != .removed else { return comparison.hasRemoved(before: index) ? row : nil }
      defer { index += 1 }
      let mark = comparison.mark(ofRow: index)
      if mark == .unchanged || row.mark == .unchanged {
        return MarkedRow(values: row.values, mark: mark, rowID: row.rowID)
      }
      return row
    }
  }
}
