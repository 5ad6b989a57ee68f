internal import WellspringSystem

/// The numbers of the rows of a result, in the order of the result: see ``RowNumbers``.
struct RowOrder: Equatable {
  /// How many rows are sorted at a time at most. One statement that sorts a few rows takes less
  /// time than several ones that sort two.
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
  ///   - present: The ids of those that are in the result now, leaving its window aside, in order.
  ///   - sort: Returns a few rows in their present order.
  /// - Returns: The patch; `nil` when a row comes into the window that is not known, or when a row
  ///   is twice in the result, as in a damaged file.
  func patch(
    changed: Set<Int64>,
    present: [Int64],
    sort: ([Int64]) throws -> [Int64]
  ) rethrows -> RowPatch? {
    let left = places(of: changed)
    let rest = Rest(ids: ids, left: left, isWindow: capacity != nil)
    let former = Dictionary(left.map { (ids[$0], $0) }) { first, _ in first }
    guard former.count == left.count else { return nil }
    var arrived: [(place: Int, row: Int)] = []
    var low = 0
    for (row, id) in present.enumerated() {
      let guess = former[id].map(rest.place(ofFormer:))
      let place = try rest.place(of: id, from: low, guess: guess, sort)
      // Unknown rows may come between the last known row and this one.
      if isCut, place == rest.count, !Fault.isOn(.patchEnd) { break }
      arrived.append((place + arrived.count, row))
      low = place
    }
    let count = rest.count + arrived.count
    guard let capacity else { return RowPatch(left: left, arrived: arrived, count: count) }
    if isCut, count < capacity, !Fault.isOn(.patchShortWindow) { return nil }
    let end = min(count, capacity)
    return RowPatch(left: left, arrived: arrived.filter { $0.place < end }, count: end)
  }

  /// Returns the ids of the rows with which ``patch(changed:present:sort:)`` first compares a row
  /// that has changed alone, if it is in the result; none for several rows.
  func neighbours(of changed: Set<Int64>) -> [Int64] {
    guard changed.count == 1 else { return [] }
    let left = places(of: changed)
    let rest = Rest(ids: ids, left: left, isWindow: capacity != nil)
    return rest.firstProbes(in: 0..<rest.count, guess: left.first).map { rest[$0] }
  }

  /// Numbers the rows by their places.
  mutating func renumber() { ids = ids.indices.map { Int64($0) } }

  mutating func apply(_ patch: RowPatch, _ present: [Int64]) { patch.apply(to: &ids, present) }

  /// Returns the places of rows, in ascending order.
  private func places(of changed: Set<Int64>) -> [Int] {
    if changed.count <= 4 { return changed.compactMap { ids.firstIndex(of: $0) }.sorted() }
    return ids.indices.filter { changed.contains(ids[$0]) }
  }
}

/// The rows of a result that stay at their places.
private struct Rest {
  let ids: [Int64]
  /// The places that rows leave, in ascending order.
  let left: [Int]
  /// Whether other rows may follow.
  let isWindow: Bool

  var count: Int { ids.count - left.count }

  subscript(place: Int) -> Int64 {
    // How many rows before the one that is looked for have left.
    var low = 0
    var high = left.count
    while low < high {
      let middle = (low + high) / 2
      if left[middle] - middle <= place { low = middle + 1 } else { high = middle }
    }
    return ids[place + low]
  }

  /// Returns the place before which a row was that leaves.
  func place(ofFormer former: Int) -> Int { former - left.count { $0 < former } }

  /// Returns the place of the first row that comes after another row.
  func place(
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

  /// Returns the places of the rows between which most changed rows are, or before or after which.
  ///
  /// - Parameters:
  ///   - range: The places that are possible.
  ///   - guess: The place before which the row was.
  /// - Returns: The places, in ascending order.
  func firstProbes(in range: Range<Int>, guess: Int?) -> [Int] {
    if let guess, guess >= range.lowerBound {
      // Most changed rows stay between the same rows.
      return [guess - 1, guess].filter(range.contains)
    }
    // Most other rows stay behind a window, or lead it.
    return isWindow && range.count > 2 ? [range.lowerBound, range.upperBound - 1] : []
  }

  /// Returns places that cut a range into parts of about the same size.
  private func pivots(in range: Range<Int>) -> [Int] {
    let pivotCount = min(RowOrder.maximumSort - 1, range.count)
    return (1...pivotCount).map { range.lowerBound + range.count * $0 / (pivotCount + 1) }
  }

  /// Returns the part of a range in which the place of a row is, by comparing it with rows at some
  /// places.
  private func narrow(
    _ range: Range<Int>,
    around id: Int64,
    _ places: [Int],
    _ sort: ([Int64]) throws -> [Int64]
  ) rethrows -> Range<Int> {
    guard !places.isEmpty else { return range }
    var sorted = try sort([id] + places.map { self[$0] })
    if Fault.isOn(.patchPlace), sorted.count == 3 { sorted.swapAt(0, 1) }
    let before = sorted.firstIndex(of: id) ?? 0
    let low = before > 0 ? places[before - 1] + 1 : range.lowerBound
    return low..<(before < places.count ? places[before] : range.upperBound)
  }
}
