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
    let partners = partners(of: next, in: previous, areSingle: areSingle(next, previous))
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
  /// Rows that both results share are not looked at: see ``SharedRows``.
  static func changes(to next: WatchedResult, since previous: WatchedResult) -> [ResultChange] {
    let areSingle = areSingle(next, previous)
    let (next, previous) = SharedRows.remove(from: next, previous)
    let partners = partners(of: next, in: previous, areSingle: areSingle)
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
  private static func partners(
    of next: WatchedResult,
    in previous: WatchedResult,
    areSingle: Bool
  ) -> [Int?] {
    let (nextCount, previousCount) = (next.rows.count, previous.rows.count)
    let shorter = min(nextCount, previousCount)
    var start = 0
    while start < shorter, next.hasKey(atRow: start, of: previous, atRow: start) { start += 1 }
    var end = 0
    let haveKeys = next.key != .wholeRow && previous.key != .wholeRow
    if haveKeys {
      while end < shorter - start,
        next.hasKey(atRow: nextCount - 1 - end, of: previous, atRow: previousCount - 1 - end)
      { end += 1 }
    }
    var indexes: [[DatabaseValue]: ArraySlice<Int>] = [:]
    for index in start..<(previousCount - end) {
      indexes[previous.key(ofRow: index), default: []].append(index)
    }
    var partners: [Int?] = next.rows.indices.map { index in
      if index < start { return index }
      if index >= nextCount - end { return index - nextCount + previousCount }
      return indexes[next.key(ofRow: index)]?.popFirst()
    }
    if !haveKeys { pair(&partners, next, previous, areSingle: areSingle) }
    return partners
  }

  /// Returns whether both results have one row.
  private static func areSingle(_ next: WatchedResult, _ previous: WatchedResult) -> Bool {
    next.rows.count == 1 && previous.rows.count == 1
  }

  /// Pairs changed rows without keys, by their equal columns: at least half of the columns, and at
  /// least one. If both results have one row, these are a pair.
  private static func pair(
    _ partners: inout [Int?],
    _ next: WatchedResult,
    _ previous: WatchedResult,
    areSingle: Bool
  ) {
    guard next.columns == previous.columns else { return }
    let taken = Set(partners.compactMap(\.self))
    let new = partners.indices.filter { partners[$0] == nil }
    let old = previous.rows.indices.filter { !taken.contains($0) }
    guard !new.isEmpty, !old.isEmpty else { return }
    if areSingle {
      partners[0] = 0
      return
    }
    // Rows with most in common first, so that a row does not take the partner of a later one.
    var pairs: [(equal: Int, new: Int, old: Int)] = []
    let candidates = AlikeRows(of: previous, at: old, comparedWith: new.count)
    for index in new {
      let values = next.rows[index]
      for other in candidates.rows(like: values) {
        let equal = zip(values, previous.rows[other]).count { !$0.isNull && $0 == $1 }
        if equal > 0, 2 * equal >= next.columns.count { pairs.append((equal, index, other)) }
      }
    }
    pairs.sort { ($1.equal, $0.new, $0.old) < ($0.equal, $1.new, $1.old) }
    var free = Set(old)
    for pair in pairs where partners[pair.new] == nil && free.contains(pair.old) {
      free.remove(pair.old)
      partners[pair.new] = pair.old
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

/// The rows of a result that may be the former state of another row: all of few rows, and of many
/// rows only the rows that share a rare value with it.
private struct AlikeRows {
  /// The largest number of rows that are all compared with each other.
  private static let fewRows = 200
  /// The largest number of rows that a rare value has.
  private static let rareCount = 8

  private let all: [Int]
  /// For each column, the rows of each value; `nil` for few rows.
  private var rowsOfValues: [[DatabaseValue: [Int]]]?

  init(of result: WatchedResult, at indexes: [Int], comparedWith count: Int) {
    all = indexes
    guard max(indexes.count, count) > Self.fewRows else { return }
    rowsOfValues = result.columns.indices.map { column in
      var rows: [DatabaseValue: [Int]] = [:]
      for index in indexes {
        let value = result.rows[index][column]
        if !value.isNull { rows[value, default: []].append(index) }
      }
      return rows.filter { $0.value.count <= Self.rareCount }
    }
  }

  func rows(like values: [DatabaseValue]) -> [Int] {
    guard let rowsOfValues else { return all }
    return Set(zip(rowsOfValues, values).flatMap { $0[$1] ?? [] }).sorted()
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
