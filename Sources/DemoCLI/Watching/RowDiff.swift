internal import Storage

/// What became of a row since the value before.
enum RowMark: Equatable {
  case unchanged
  /// The row is new.
  case added
  /// The row has other values in these columns.
  case changed(Set<Int>)
  /// The row is gone.
  case removed
}

/// A row of a result, or one that is gone from it.
struct MarkedRow: Equatable {
  let values: [DatabaseValue]
  let mark: RowMark
}

/// Compares two results.
enum RowDiff {
  /// The rows of `next`, marked with what became of them since `previous`. Rows that are gone stand
  /// where they were: after the row that they followed, as far as it is still there.
  ///
  /// Rows with equal keys are told apart by their order. Without a previous result no row is
  /// marked.
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

  /// For each row of `next` the index of the same row in `previous`.
  private static func partners(of next: WatchedResult, in previous: WatchedResult) -> [Int?] {
    var indexes: [[DatabaseValue]: ArraySlice<Int>] = [:]
    indexes.reserveCapacity(previous.rows.count)
    for index in previous.rows.indices {
      indexes[previous.key(ofRow: index), default: []].append(index)
    }
    return next.rows.indices.map { indexes[next.key(ofRow: $0)]?.popFirst() }
  }

  /// The rows that are gone, by the index of the last row before them that is not.
  private static func removedRows(
    of previous: WatchedResult,
    partners: [Int?],
    columns: ColumnMapping
  ) -> [Int?: [MarkedRow]] {
    let kept = Set(partners.compactMap(\.self))
    guard kept.count < previous.rows.count else { return [:] }
    var removed: [Int?: [MarkedRow]] = [:]
    var lastKept: Int?
    for (index, values) in previous.rows.enumerated() {
      if kept.contains(index) {
        lastKept = index
      } else {
        removed[lastKept, default: []]
          .append(MarkedRow(values: columns.mapped(values), mark: .removed))
      }
    }
    return removed
  }
}

/// Where the columns of a result were in the result before.
private struct ColumnMapping {
  /// For each column its old index; `nil` for a column that is new.
  private let sources: [Int?]
  private let isIdentity: Bool

  init(from previous: [String], to next: [String]) {
    isIdentity = previous == next
    sources = isIdentity ? Array(next.indices) : next.map { previous.firstIndex(of: $0) }
  }

  /// Old values in the order of the new columns.
  func mapped(_ values: [DatabaseValue]) -> [DatabaseValue] {
    isIdentity ? values : sources.map { $0.map { values[$0] } ?? .null }
  }

  /// The mark of a row that was there before.
  func mark(_ values: [DatabaseValue], since old: [DatabaseValue]) -> RowMark {
    if isIdentity, values == old { return .unchanged }
    let changed = values.indices.filter { index in
      guard let source = sources[index] else { return true }
      return values[index] != old[source]
    }
    return changed.isEmpty ? .unchanged : .changed(Set(changed))
  }
}
