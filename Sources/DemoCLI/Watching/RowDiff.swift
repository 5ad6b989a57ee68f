internal import Storage

/// Compares two results.
enum RowDiff {
  /// Returns the rows of `next` with their changes since `previous`, and the removed rows.
  ///
  /// A removed row follows the last row before it that still exists. Rows with equal keys are
  /// matched in their order. Without a previous result, no row is marked.
  ///
  /// - Complexity: O(*n*) hashed keys.
  static func mark(_ next: WatchedResult, since previous: WatchedResult?) -> [MarkedRow] {
    guard let previous else {
      return next.rows.map { MarkedRow(values: $0, mark: .unchanged) }
    }
    let partners = partners(of: next, in: previous)
    let columns = ColumnMapping(from: previous.columns, to: next.columns)
    var removed = removedRows(of: previous, partners: partners, columns: columns)
    var marked: [MarkedRow] = []
    marked.reserveCapacity(next.rows.count)
    marked += removed.removeValue(forKey: nil) ?? []
    for (index, values) in next.rows.enumerated() {
      marked.append(
        MarkedRow(
          values: values,
          mark: partners[index].map { columns.mark(values, since: previous.rows[$0]) } ?? .added
        )
      )
      guard let partner = partners[index] else { continue }
      marked += removed.removeValue(forKey: partner) ?? []
    }
    return marked
  }

  /// Returns the rows that differ, in the order of ``mark(_:since:)``.
  ///
  /// Rows at the start and at the end that both results share are not looked at: see
  /// ``ResultReader``.
  static func changes(to next: WatchedResult, since previous: WatchedResult) -> [ResultChange] {
    let (next, previous) = next.withoutSharedEnds(with: previous)
    let partners = partners(of: next, in: previous)
    let columns = ColumnMapping(from: previous.columns, to: next.columns)
    var removed = removedRows(of: previous, partners: partners, columns: columns)
    var changes: [ResultChange] = []
    func takeRemoved(after partner: Int?) {
      guard !removed.isEmpty else { return }
      changes += (removed.removeValue(forKey: partner) ?? []).map { .removed($0.values) }
    }
    takeRemoved(after: nil)
    for (index, values) in next.rows.enumerated() {
      guard let partner = partners[index] else {
        changes.append(.inserted(values))
        continue
      }
      let old = previous.rows[partner]
      if case .changed(let changed) = columns.mark(values, since: old) {
        changes.append(.updated(values, old: columns.mapped(old), columns: changed))
      }
      takeRemoved(after: partner)
    }
    return changes
  }

  /// Returns for each row of `next` the index of the same row in `previous`.
  ///
  /// Most commits change few rows, so equal keys at the start and at the end are matched first,
  /// without a dictionary. At the end, this needs unique keys: equal rows without keys are matched
  /// in their order.
  private static func partners(of next: WatchedResult, in previous: WatchedResult) -> [Int?] {
    let (nextCount, previousCount) = (next.rows.count, previous.rows.count)
    let shorter = min(nextCount, previousCount)
    var start = 0
    while start < shorter, next.key(ofRow: start) == previous.key(ofRow: start) { start += 1 }
    var end = 0
    if next.keys != nil, previous.keys != nil {
      while end < shorter - start,
        next.key(ofRow: nextCount - 1 - end) == previous.key(ofRow: previousCount - 1 - end)
      { end += 1 }
    }
    var indexes: [[DatabaseValue]: ArraySlice<Int>] = [:]
    for index in start..<(previousCount - end) {
      indexes[previous.key(ofRow: index), default: []].append(index)
    }
    return next.rows.indices.map { index in
      if index < start { return index }
      if index >= nextCount - end { return index - nextCount + previousCount }
      return indexes[next.key(ofRow: index)]?.popFirst()
    }
  }

  /// Returns the removed rows, by the index of the last row before them that still exists.
  private static func removedRows(
    of previous: WatchedResult,
    partners: [Int?],
    columns: ColumnMapping
  ) -> [Int?: [MarkedRow]] {
    var isKept = [Bool](repeating: false, count: previous.rows.count)
    for case let partner? in partners { isKept[partner] = true }
    guard isKept.contains(false) else { return [:] }
    var removed: [Int?: [MarkedRow]] = [:]
    var lastKept: Int?
    for (index, values) in previous.rows.enumerated() {
      if isKept[index] {
        lastKept = index
      } else {
        removed[lastKept, default: []]
          .append(MarkedRow(values: columns.mapped(values), mark: .removed))
      }
    }
    return removed
  }
}

/// The positions of a result's columns in the previous result.
private struct ColumnMapping {
  /// The old index of each column; `nil` for a new column.
  private let sources: [Int?]
  private let isIdentity: Bool

  init(from previous: [String], to next: [String]) {
    isIdentity = previous == next
    sources = isIdentity ? Array(next.indices) : next.map { previous.firstIndex(of: $0) }
  }

  /// Returns old values in the order of the new columns.
  func mapped(_ values: [DatabaseValue]) -> [DatabaseValue] {
    isIdentity ? values : sources.map { $0.map { values[$0] } ?? .null }
  }

  /// Returns the mark of a row that existed before.
  func mark(_ values: [DatabaseValue], since old: [DatabaseValue]) -> RowMark {
    if isIdentity, values == old { return .unchanged }
    let changed = values.indices.filter { index in
      guard let source = sources[index] else { return true }
      return values[index] != old[source]
    }
    return changed.isEmpty ? .unchanged : .changed(Set(changed))
  }
}
