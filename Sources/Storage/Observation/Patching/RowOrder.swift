/// The ids of the rows of a result, in the order of the result.
struct RowOrder: Equatable {
  private(set) var ids: [Int64]
  /// How many rows are known at most, from the beginning of the result; `nil` for all rows.
  let capacity: Int?

  /// Whether there may be rows after the known ones.
  var isCut: Bool { capacity.map { ids.count >= $0 } ?? false }

  init(_ ids: [Int64], capacity: Int? = nil) {
    self.ids = ids
    self.capacity = capacity
  }

  /// Finds out how a commit changes the result.
  ///
  /// - Parameters:
  ///   - changed: The ids of all rows of the table that have changed, come or gone.
  ///   - present: The ids of those that are in the result now, leaving its window aside, in order.
  ///   - precedes: Whether the first of two rows comes before the second one now.
  /// - Returns: The patch; `nil` when a row comes into the window that is not known.
  func patch(
    changed: Set<Int64>,
    present: [Int64],
    precedes: (Int64, Int64) throws -> Bool
  ) rethrows -> RowPatch? {
    let left = places(of: changed)
    let rest = Rest(ids: ids, left: left)
    let former = left.isEmpty ? [:] : Dictionary(uniqueKeysWithValues: left.map { (ids[$0], $0) })
    var arrived: [(place: Int, row: Int)] = []
    var low = 0
    for (row, id) in present.enumerated() {
      let guess = former[id].map(rest.place(ofFormer:))
      let place = try rest.place(of: id, from: low, guess: guess, precedes)
      // Unknown rows may come between the last known row and this one.
      if isCut, place == rest.count { break }
      arrived.append((place + arrived.count, row))
      low = place
    }
    let count = rest.count + arrived.count
    guard let capacity else { return RowPatch(left: left, arrived: arrived, count: count) }
    if isCut, count < capacity { return nil }
    let end = min(count, capacity)
    return RowPatch(left: left, arrived: arrived.filter { $0.place < end }, count: end)
  }

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
    _ precedes: (Int64, Int64) throws -> Bool
  ) rethrows -> Int {
    var low = start
    var high = count
    // Most changed rows stay between the same rows.
    if let guess, guess >= low {
      if guess == high {
        // Nothing follows.
      } else if try precedes(id, self[guess]) {
        high = guess
      } else {
        low = guess + 1
      }
      if high == guess, guess > low {
        if try precedes(id, self[guess - 1]) { high = guess - 1 } else { low = guess }
      }
    }
    while low < high {
      let middle = (low + high) / 2
      if try precedes(id, self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
