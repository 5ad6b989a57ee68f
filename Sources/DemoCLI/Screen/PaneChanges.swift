/// What the last change has changed in a large result, as far as it is known: rows in a fetched
/// part, rows elsewhere that the log of the file names, and rows that were added at the end.
struct PaneChanges {
  /// The marks of rows by their row ids.
  private var marks: [Int64: RowMark] = [:]
  /// The rows that the last change has added at the end.
  private var appended: PaneContents.Appended?

  /// Returns the rows of a part with the changes since another one; `nil` if there are none.
  mutating func marked(_ new: PaneContents, since old: PaneContents) -> [MarkedRow]? {
    let rows = new.marked(since: old)
    let appended = new.appended == old.appended ? nil : new.appended
    guard
      appended != nil || !new.changedElsewhere.isEmpty || !new.deletedRows.isEmpty
        || rows.contains(where: { $0.mark != .unchanged })
    else { return nil }
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
  func outside(_ part: PaneContents) -> (above: Int, below: Int) {
    guard !part.isWhole, let first = part.rowIDs?.values.first, let last = part.rowIDs?.values.last
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
