extension ElementChanges {
  /// The changes from one array to another.
  ///
  /// - Parameters:
  ///   - old: The old array.
  ///   - new: The new array.
  ///   - id: The identity of an element.
  ///   - areEqual: Whether two elements with the same identity have the same value.
  /// - Complexity: O(*n*); O(*n* log *n*) where many elements have moved.
  @inlinable
  public init<ID: Hashable>(
    from old: [Element],
    to new: [Element],
    id: (Element) -> ID,
    areEqual: (Element, Element) -> Bool
  ) {
    // A common beginning and end need no table of identities. Mostly, they are nearly everything.
    let limit = min(old.count, new.count)
    var start = 0
    while start < limit, areEqual(old[start], new[start]), id(old[start]) == id(new[start]) {
      start += 1
    }
    var end = 0
    while end < limit - start,
      areEqual(old[old.count - 1 - end], new[new.count - 1 - end]),
      id(old[old.count - 1 - end]) == id(new[new.count - 1 - end])
    {
      end += 1
    }
    let oldRange = start..<(old.count - end)
    let newRange = start..<(new.count - end)
    if oldRange.count == 1, newRange.count == 1, id(old[start]) == id(new[start]) {
      let update = Update(
        oldIndex: start,
        newIndex: start,
        oldElement: old[start],
        newElement: new[start]
      )
      self.init(removed: [], inserted: [], updated: [update], moved: [])
      return
    }

    var removed: [Entry] = []
    var inserted: [Entry] = []
    var updated: [Update] = []
    var moved: [Move] = []
    var oldIndexes: [ID: Int] = Dictionary(minimumCapacity: oldRange.count)
    for index in oldRange where oldIndexes[id(old[index])] == nil {
      oldIndexes[id(old[index])] = index
    }
    var isMatched = [Bool](repeating: false, count: oldRange.count)
    // The elements that are in both, in the order of the new array.
    var matches: [(old: Int, new: Int)] = []
    var duplicate: ID?
    for index in newRange {
      let identity = id(new[index])
      // A second element with the identity counts as new.
      guard let oldIndex = oldIndexes[identity], oldIndex >= 0, !isMatched[oldIndex - start] else {
        if oldIndexes.updateValue(-1, forKey: identity) != nil { duplicate = duplicate ?? identity }
        inserted.append(Entry(index: index, element: new[index]))
        continue
      }
      isMatched[oldIndex - start] = true
      matches.append((oldIndex, index))
      if !areEqual(old[oldIndex], new[index]) {
        updated.append(
          Update(
            oldIndex: oldIndex,
            newIndex: index,
            oldElement: old[oldIndex],
            newElement: new[index]
          )
        )
      }
    }
    for index in oldRange where !isMatched[index - start] {
      removed.append(Entry(index: index, element: old[index]))
    }
    let isStaying = longestIncreasingSubsequence(of: matches.map(\.old))
    for (position, match) in matches.enumerated() where !isStaying[position] {
      moved.append(Move(oldIndex: match.old, newIndex: match.new, element: new[match.new]))
    }
    self.init(
      removed: removed,
      inserted: inserted,
      updated: updated,
      moved: moved,
      duplicateIdentity: duplicate.map { String(describing: $0) }
    )
  }
}

/// Returns, by position, whether the number is part of a longest subsequence whose numbers
/// increase.
///
/// - Precondition: No number comes twice.
@usableFromInline
func longestIncreasingSubsequence(of numbers: [Int]) -> [Bool] {
  // By length: the position of the smallest number that ends a subsequence of that length.
  var ends: [Int] = []
  var previous = [Int](repeating: -1, count: numbers.count)
  for (position, number) in numbers.enumerated() {
    var low = 0
    if let last = ends.last, numbers[last] < number {
      low = ends.count
    } else {
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
    }
    if low > 0 { previous[position] = ends[low - 1] }
    if low == ends.count { ends.append(position) } else { ends[low] = position }
  }
  var isMember = [Bool](repeating: false, count: numbers.count)
  var position = ends.last ?? -1
  while position >= 0 {
    isMember[position] = true
    position = previous[position]
  }
  return isMember
}
