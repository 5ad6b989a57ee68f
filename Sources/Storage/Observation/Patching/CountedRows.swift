internal import WellspringPlatform

/// The ids of the rows that were counted.
///
/// It is an object, because copying the ids would cost as much as counting.
final class CountedRows: Sendable {
  private struct State {
    var ids: Set<Int64>
    /// Whether further rows may match.
    var isCut: Bool
  }

  /// What a commit changes.
  struct Difference: Sendable {
    let left: Set<Int64>
    let arrived: Set<Int64>
    /// The number of rows afterwards; `nil` if it is not known.
    let count: Int?
  }

  /// The largest number of rows that are kept; `nil` for all rows.
  let capacity: Int?
  // Guards the ids. One run at a time uses them.
  private let state: Lock<State>

  init(_ ids: [Int64], capacity: Int? = nil) {
    self.capacity = capacity
    state = Lock(
      State(ids: Set(ids), isCut: capacity.map { ids.count >= $0 } ?? false)
    )
  }

  /// The number of the rows. If rows are cut off, it is at least as high as this.
  var count: Int { state.withLock { $0.ids.count } }

  /// The bytes that the ids take: three quarters of the places of a set are used at most.
  var memory: Int {
    let places = state.withLock { $0.ids.capacity } * 4 / 3
    return places * MemoryLayout<Int64>.stride + places / 8
  }

  /// Returns which rows are counted no longer, and which are counted now.
  ///
  /// - Parameters:
  ///   - changed: The ids of the rows that have changed.
  ///   - matching: Those of them that the query has now.
  /// - Returns: Both, and the number of rows.
  func difference(of changed: Set<Int64>, matching: Set<Int64>) -> Difference {
    state.withLock { state in
      let counted = changed.filter(state.ids.contains)
      let left = counted.subtracting(matching)
      let arrived = matching.subtracting(counted)
      let count = state.ids.count - left.count + arrived.count
      // Where rows were cut off, nothing is known when all known ones have left.
      let isKnown = !state.isCut || count > 0
      return Difference(left: left, arrived: arrived, count: isKnown ? count : nil)
    }
  }

  func apply(_ difference: Difference) {
    state.withLock { state in
      state.ids.subtract(difference.left)
      // A set does not shrink by itself.
      if state.ids.capacity * 10 > state.ids.count * 22 { state.ids = Set(Array(state.ids)) }
      for id in difference.arrived {
        if let capacity, state.ids.count >= capacity {
          state.isCut = true
          return
        }
        state.ids.insert(id)
      }
    }
  }
}
