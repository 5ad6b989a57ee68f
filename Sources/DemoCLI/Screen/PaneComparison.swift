/// The changes in all rows of a large result between two times at which they were read.
struct PaneComparison: Equatable, Sendable {
  /// The indexes of rows whose values have changed, and of rows that are new, in ascending order.
  private(set) var changed: [UInt32] = []
  private(set) var added: [UInt32] = []
  /// The index of the row after each row that was removed, in ascending order.
  private(set) var removed: [Int] = []
  /// The number of rows.
  var rowCount = 0
  /// The index of the row that was at the top of the window, if it is still there.
  private(set) var top: Int?

  var isEmpty: Bool { changed.isEmpty && added.isEmpty && removed.isEmpty }

  mutating func add(_ row: Int, isNew: Bool) {
    if isNew { added.append(UInt32(row)) } else { changed.append(UInt32(row)) }
  }

  /// Notes where the row at the top of the window may be: the nearest index counts.
  mutating func noteTop(_ row: Int, expected: Int) {
    if let top, abs(top - expected) < abs(row - expected) { return }
    top = row
  }

  /// Notes rows that are missing, after all that are new.
  ///
  /// - Parameter indices: The indexes that they had among the rows before.
  mutating func remove(indices: [Int]) {
    var others = added.lazy.map(Int.init).makeIterator()
    var next = others.next()
    var newRows = 0
    removed = indices.sorted().enumerated().map { number, index in
      // The number of rows before it that are still there.
      let remaining = index - number
      guard remaining > 0 else { return 0 }
      // The last of them: as many new rows precede it.
      while let index = next, index <= remaining - 1 + newRows {
        newRows += 1
        next = others.next()
      }
      return remaining + newRows
    }
  }

  /// Notes rows that are missing.
  ///
  /// - Parameter rows: The indexes of the rows that follow them now, in ascending order.
  mutating func remove(before rows: [Int]) { removed = rows }

  /// Treats removed rows at the indexes of new rows as changed rows, in a result whose rows have no
  /// keys.
  mutating func pairUpdates() {
    var updated: Set<UInt32> = []
    var others = added[...]
    var last: (index: Int, row: Int)?
    removed = removed.filter { index in
      others = others.drop { $0 < index }
      // Rows that were next to each other have the same row after them.
      let expected = last?.index == index ? last!.row + 1 : index
      guard let row = others.first, Int(row) == expected else { return true }
      last = (index, expected)
      updated.insert(row)
      others.removeFirst()
      return false
    }
    added.removeAll(where: updated.contains)
    changed = (changed + updated).sorted()
  }

  /// Returns the mark of a row.
  func mark(ofRow index: Int) -> RowMark {
    if Self.contains(added, index) { return .added }
    return Self.contains(changed, index) ? .changed([]) : .unchanged
  }

  /// Returns whether rows were removed before a row.
  func hasRemoved(before index: Int) -> Bool {
    Self.count(of: removed, before: index + 1) > Self.count(of: removed, before: index)
  }

  /// Returns the number of changes before a part of the rows and after it.
  func outside(_ part: Range<Int>, hasRowsAfter: Bool) -> (above: Int, below: Int) {
    var above = 0
    var below = 0
    for rows in [added, changed] {
      above += Self.count(of: rows, before: part.lowerBound)
      below += rows.count - Self.count(of: rows, before: part.upperBound)
    }
    if part.lowerBound > 0 { above += Self.count(of: removed, before: part.lowerBound + 1) }
    if hasRowsAfter { below += removed.count - Self.count(of: removed, before: part.upperBound) }
    return (above, below)
  }

  /// Returns how many of several ascending numbers are smaller than a number.
  static func count<Number: BinaryInteger>(of numbers: [Number], before number: Int) -> Int {
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(numbers[middle]) < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func contains(_ numbers: [UInt32], _ number: Int) -> Bool {
    let index = count(of: numbers, before: number)
    return index < numbers.count && Int(numbers[index]) == number
  }
}

/// A comparison that a pane asks for.
struct ComparisonRequest: Equatable, Sendable {
  let query: WatchedQuery
  var order = PaneView.Order()
  /// The index of the part that was shown then.
  var offset = 0
  /// The hash of the key of its first row, if its index is to be found.
  var topKey: Int?
  var moment = PaneChanges.Moment()
  /// Whether the comparison does not wait: the rows are not remembered, or a key has changed the
  /// order or the filter.
  let isUrgent: Bool
  /// Whether its findings will not be shown.
  var onlyRemembers = false
}
