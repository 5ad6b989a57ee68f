internal import WellspringSystem

/// The numbers of the rows of a result, in the order of the result: see ``RowNumbers``.
struct RowOrder: Equatable {
  /// How many rows are sorted at a time at most. One statement that sorts a few rows takes less
  /// time than several statements that each sort two.
  static let maximumSort = 16

  private(set) var ids: [Int64]
  /// How many rows are known at most, from the beginning of the result; `nil` for all rows.
  let capacity: Int?

  /// Whether there may be rows after the known ones.
  var isCut: Bool { capacity.map { ids.count >= $0 } ?? false }

  /// The bytes that the ids take.
  var memory: Int { ids.capacity * MemoryLayout<Int64>.stride }

  init(_ ids: [Int64], capacity: Int? = nil) {
    self.ids = ids
    self.capacity = capacity
  }

  /// Finds out how a commit changes the result.
  ///
  /// - Parameters:
  ///   - changed: The ids of all rows of the table that have changed, come or gone.
  ///   - present: The ids of the changed rows that are in the result now, without regard to its
  ///     window, in order.
  ///   - sort: Returns a few rows in their present order.
  /// - Returns: The patch; `nil` when a row comes into the window that is not known, or when a row
  ///   is twice in the result, as in a damaged file.
  func patch(
    changed: Set<Int64>,
    present: [Int64],
    sort: ([Int64]) throws -> [Int64]
  ) rethrows -> RowPatch? {
    let left = indexes(of: changed)
    let rest = Rest(ids: ids, left: left, isWindow: capacity != nil)
    let former = Dictionary(left.map { (ids[$0], $0) }) { first, _ in first }
    guard former.count == left.count else { return nil }
    var arrived: [(index: Int, row: Int)] = []
    var low = 0
    for (row, id) in present.enumerated() {
      let guess = former[id].map(rest.index(ofFormer:))
      let index = try rest.index(of: id, from: low, guess: guess, sort)
      // Unknown rows may come between the last known row and this one.
      if isCut, index == rest.count, !Fault.isOn(.patchEnd) { break }
      arrived.append((index + arrived.count, row))
      low = index
    }
    let count = rest.count + arrived.count
    guard let capacity else { return RowPatch(left: left, arrived: arrived, count: count) }
    if isCut, count < capacity, !Fault.isOn(.patchShortWindow) { return nil }
    let end = min(count, capacity)
    return RowPatch(left: left, arrived: arrived.filter { $0.index < end }, count: end)
  }

  /// Returns the ids of the rows with which ``patch(changed:present:sort:)`` first compares a row
  /// that has changed alone, if it is in the result; none for several rows.
  func neighbours(of changed: Set<Int64>) -> [Int64] {
    guard changed.count == 1 else { return [] }
    let left = indexes(of: changed)
    let rest = Rest(ids: ids, left: left, isWindow: capacity != nil)
    return rest.firstProbes(in: 0..<rest.count, guess: left.first).map { rest[$0] }
  }

  /// Numbers the rows by their indexes.
  mutating func renumber() { ids = ids.indices.map { Int64($0) } }

  mutating func apply(_ patch: RowPatch, _ present: [Int64]) { patch.apply(to: &ids, present) }

  /// Returns the indexes of rows, in ascending order.
  private func indexes(of changed: Set<Int64>) -> [Int] {
    if changed.count <= 4 { return changed.compactMap { ids.firstIndex(of: $0) }.sorted() }
    return ids.indices.filter { changed.contains(ids[$0]) }
  }
}

/// The rows of a result that stay, in their order.
private struct Rest {
  let ids: [Int64]
  /// The indexes in the result of the rows that leave, in ascending order.
  let left: [Int]
  /// Whether other rows may follow.
  let isWindow: Bool

  var count: Int { ids.count - left.count }

  subscript(index: Int) -> Int64 {
    // The number of rows before the wanted row that have left.
    var low = 0
    var high = left.count
    while low < high {
      let middle = (low + high) / 2
      if left[middle] - middle <= index { low = middle + 1 } else { high = middle }
    }
    return ids[index + low]
  }

  /// Returns the index of the first row that came after a row that leaves.
  func index(ofFormer former: Int) -> Int { former - left.count { $0 < former } }

  /// Returns the index of the first row that comes after another row.
  func index(
    of id: Int64,
    from start: Int,
    guess: Int?,
    _ sort: ([Int64]) throws -> [Int64]
  ) rethrows -> Int {
    var range = start..<count
    range = try narrow(range, around: id, firstProbes(in: range, guess: guess), sort)
    while !range.isEmpty {
      range = try narrow(range, around: id, pivots(in: range), sort)
    }
    return range.lowerBound
  }

  /// Returns the indexes of the rows with which a changed row is compared first. Most changed rows
  /// are between them, or before or after them.
  ///
  /// - Parameters:
  ///   - range: The indexes that are possible.
  ///   - guess: The index of the first row that came after the row.
  /// - Returns: The indexes, in ascending order.
  func firstProbes(in range: Range<Int>, guess: Int?) -> [Int] {
    if let guess, guess >= range.lowerBound {
      // Most changed rows stay between the same rows.
      return [guess - 1, guess].filter(range.contains)
    }
    // Most other rows stay behind a window, or lead it.
    return isWindow && range.count > 2 ? [range.lowerBound, range.upperBound - 1] : []
  }

  /// Returns indexes that cut a range into parts of about the same size.
  private func pivots(in range: Range<Int>) -> [Int] {
    let pivotCount = min(RowOrder.maximumSort - 1, range.count)
    return (1...pivotCount).map { range.lowerBound + range.count * $0 / (pivotCount + 1) }
  }

  /// Returns the part of a range in which the index of a row is, by comparing it with rows at some
  /// indexes.
  private func narrow(
    _ range: Range<Int>,
    around id: Int64,
    _ indexes: [Int],
    _ sort: ([Int64]) throws -> [Int64]
  ) rethrows -> Range<Int> {
    guard !indexes.isEmpty else { return range }
    var sorted = try sort([id] + indexes.map { self[$0] })
    if Fault.isOn(.patchPlace), sorted.count == 3 { sorted.swapAt(0, 1) }
    let before = sorted.firstIndex(of: id) ?? 0
    let low = before > 0 ? indexes[before - 1] + 1 : range.lowerBound
    return low..<(before < indexes.count ? indexes[before] : range.upperBound)
  }
}
