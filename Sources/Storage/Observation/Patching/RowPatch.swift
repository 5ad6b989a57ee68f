internal import WellspringSystem

/// The changes of a commit to an ordered result: which rows leave, and where rows come.
///
/// A row that changes leaves and comes back, at the same index or at another one.
struct RowPatch: Equatable {
  /// The indexes in the old result of the rows that leave, in ascending order.
  let left: [Int]
  /// The rows that come, in ascending order of their indexes in the new result. `row` is the index
  /// of the row among the rows that were fetched.
  let arrived: [(index: Int, row: Int)]
  /// How many rows the new result has. Rows beyond it were pushed out of the window.
  let count: Int

  static func == (left: RowPatch, right: RowPatch) -> Bool {
    left.left == right.left && left.count == right.count
      && left.arrived.elementsEqual(right.arrived, by: ==)
  }

  /// Whether no row leaves or comes.
  var isEmpty: Bool { left.isEmpty && arrived.isEmpty }

  /// Whether each row that leaves comes back at the same index.
  var keepsIndexes: Bool { left.elementsEqual(arrived.lazy.map(\.index)) }

  /// The patch, for the values.
  var elementsPatch: ElementsPatch { ElementsPatch(left: left, arrived: arrived.map(\.index)) }

  /// Whether the array after the patch equals the array before.
  func isUnchanged<Element>(_ old: [Element], _ new: [Element]) -> Bool {
    if isEmpty { return true }
    guard isEquatable(Element.self), old.count == new.count else { return false }
    if keepsIndexes {
      return Fault.isOn(.patchEqual)
        || arrived.allSatisfy { areEquatablesEqual(old[$0.index], new[$0.index]) }
    }
    // Equal elements may have moved. All elements outside of this range stay.
    guard let first = left.first, let last = left.last, let start = arrived.first?.index,
      let end = arrived.last?.index
    else { return false }
    let range = min(first, start)..<max(last, end) + 1
    return range.allSatisfy { areEquatablesEqual(old[$0], new[$0]) }
  }

  init(left: [Int], arrived: [(index: Int, row: Int)], count: Int) {
    self.left = left
    self.arrived = arrived
    self.count = count
  }

  /// The difference between two results. Rows that are in both, and have not changed, must have the
  /// same order. `row` counts the rows that arrive.
  ///
  /// - Parameters:
  ///   - old: The ids of the old rows.
  ///   - new: The ids of the new rows.
  ///   - changed: The ids of rows that have changed or come.
  init(from old: [Int64], to new: [Int64], changed: Set<Int64>) {
    let staying = Set(new).subtracting(changed)
    left = old.indices.filter { !staying.contains(old[$0]) }
    arrived = new.indices.filter { changed.contains(new[$0]) }.enumerated().map { ($1, $0) }
    count = new.count
  }

  /// Returns the patch for the first rows of the result.
  ///
  /// - Parameters:
  ///   - new: How many rows of the new result count.
  ///   - old: How many rows of the old result counted.
  /// - Returns: The patch; `nil` when rows are needed that were not among the first ones.
  func first(_ new: Int, of old: Int) -> RowPatch? {
    let arrived = arrived.filter { $0.index < new }
    var left = left.filter { $0 < old }
    let staying = new - arrived.count
    guard staying >= 0, old - left.count >= staying else { return nil }
    // The last rows are pushed out.
    for index in (0..<old).reversed() where old - left.count > staying {
      if !self.left.contains(index) { left.append(index) }
    }
    return RowPatch(left: left.sorted(), arrived: arrived, count: new)
  }

  /// Makes a new result from an old one.
  ///
  /// - Parameters:
  ///   - elements: The old result.
  ///   - rows: The rows that were fetched.
  func apply<Element>(to elements: inout [Element], _ rows: [Element]) {
    if keepsIndexes, count == elements.count {
      for arrival in arrived { elements[arrival.index] = rows[arrival.row] }
      return
    }
    if patchesOneRow(of: &elements, rows) { return }
    var result: [Element] = []
    result.reserveCapacity(count)
    var start = 0
    var leaving = left[...]
    /// Appends old elements that stay, until the result has `end` elements.
    func appendStaying(upTo end: Int) {
      while result.count < end, start < elements.count {
        if leaving.first == start {
          leaving.removeFirst()
          start += 1
          continue
        }
        let next = min(leaving.first ?? elements.count, start + end - result.count)
        result.append(contentsOf: elements[start..<next])
        start = next
      }
    }
    for arrival in arrived {
      appendStaying(upTo: arrival.index)
      result.append(rows[arrival.row])
    }
    appendStaying(upTo: count)
    elements = result
  }

  /// Patches an array in place if one row comes, leaves or moves.
  private func patchesOneRow<Element>(of elements: inout [Element], _ rows: [Element]) -> Bool {
    switch (left.count, arrived.count, count - elements.count) {
    case (1, 1, 0): Self.move(from: left[0], to: arrived[0].index, rows[arrived[0].row], &elements)
    case (1, 0, -1): elements.remove(at: left[0])
    case (0, 1, 1): elements.insert(rows[arrived[0].row], at: arrived[0].index)
    default: return false
    }
    return true
  }

  /// Replaces an element by one at another index. Those between them move by one.
  private static func move<Element>(
    from former: Int,
    to index: Int,
    _ element: Element,
    _ elements: inout [Element]
  ) {
    elements.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      (start + former).deinitialize(count: 1)
      if former < index {
        (start + former).moveInitialize(from: start + former + 1, count: index - former)
      } else {
        (start + index + 1).moveInitialize(from: start + index, count: former - index)
      }
      (start + index).initialize(to: element)
    }
  }
}
