internal import WellspringSystem

/// The rows that were counted.
///
/// It is an object, because copying the rows would cost as much as counting.
final class CountedRows: Sendable {
  private struct State {
    var rows: RowSet
    var numbers: RowNumbers?
    /// The rows with which they are joined.
    var joined: JoinedPartners?
    /// Whether further rows may match.
    var isCut: Bool
  }

  /// The changes of the rows by a commit.
  struct Difference: Sendable {
    let left: Set<Int64>
    let arrived: Set<Int64>
    /// The rows that are joined with the rows that are counted now.
    let joined: JoinedPartners?
    /// The number of rows afterwards; `nil` if it is not known.
    let count: Int?
  }

  /// The largest number of rows that are kept; `nil` for all rows.
  let capacity: Int?
  // Guards the rows. One run at a time uses them.
  private let state: Lock<State>

  /// - Parameters:
  ///   - ids: The numbers of the rows.
  ///   - numbers: The keys that the numbers represent; `nil` for row ids.
  ///   - joined: The rows with which they are joined.
  ///   - capacity: The largest number of rows that are kept.
  init(
    _ ids: [Int64],
    _ numbers: RowNumbers? = nil,
    _ joined: JoinedPartners? = nil,
    capacity: Int? = nil
  ) {
    self.capacity = capacity
    let areSmall = numbers?.areSmall ?? false
    state = Lock(
      State(
        rows: RowSet(ids, areSmall: areSmall),
        numbers: numbers,
        joined: joined,
        isCut: capacity.map { ids.count >= $0 } ?? false
      )
    )
  }

  /// The keys that the numbers of the rows represent; `nil` for row ids.
  var numbers: RowNumbers? { state.withLock { $0.numbers } }

  /// The number of the rows. If rows are cut off, it is at least as high as this.
  var count: Int { state.withLock { $0.rows.count } }

  /// The bytes that the rows take.
  var memory: Int {
    let (rows, numbers) = state.withLock {
      ($0.rows.memory + ($0.joined?.memory ?? 0), $0.numbers)
    }
    return rows + (numbers?.memory ?? 0)
  }

  /// Returns the rows that are joined with some rows of another table.
  func rows(joinedWith rows: Set<Int64>, _ partner: Int) -> [Int64] {
    state.withLock { $0.joined?.rows(with: rows, partner) ?? [] }
  }

  /// Returns which rows are counted no longer, and which are counted now.
  ///
  /// - Parameters:
  ///   - changed: The numbers of the rows that have changed.
  ///   - matching: The changed rows that the query has now.
  ///   - joined: The rows that are joined with these.
  /// - Returns: Both sets, and the number of rows.
  func difference(
    of changed: Set<Int64>,
    matching: Set<Int64>,
    _ joined: JoinedPartners? = nil
  ) -> Difference {
    state.withLock { state in
      let counted = changed.filter(state.rows.contains)
      let left = counted.subtracting(matching)
      let arrived = matching.subtracting(counted)
      let count = state.rows.count - left.count + arrived.count
      // Where rows were cut off, nothing is known when all known ones have left.
      let isKnown = !state.isCut || count > 0
      return Difference(
        left: left,
        arrived: arrived,
        joined: joined,
        count: isKnown ? count : nil
      )
    }
  }

  func apply(_ difference: Difference) {
    let (counted, known) = state.withLock { state in
      state.rows.subtract(Fault.isOn(.patchCount) ? [] : difference.left)
      state.joined?.remove(difference.left)
      if let joined = difference.joined { state.joined?.merge(joined) }
      for row in difference.arrived {
        if let capacity, state.rows.count >= capacity {
          state.isCut = true
          let dropped = difference.arrived.filter { !state.rows.contains($0) }
          state.joined?.remove(dropped)
          break
        }
        state.rows.insert(row)
      }
      return (state.rows.count, state.numbers)
    }
    // The numbers have a lock of their own.
    guard let known, known.isSparse(inUse: counted) else { return }
    let numbers = known.selecting(state.withLock { $0.rows.rows })
    state.withLock { state in
      state.numbers = numbers
      state.rows = RowSet(0..<Int64(counted), areSmall: true)
    }
  }
}
