/// How one array of elements becomes another, by the identity of its elements.
///
/// Apply it to the array before to get the one after, in the same order:
///
///     var items: [Item] = []
///     for try await changes in observation.changes(in: pool, id: \.id) {
///       changes.apply(to: &items)
///     }
///
/// Identities should be unique. Where they are not, the array after is still the right one, but an
/// element may be taken for another with its identity.
public struct ElementChanges<Element: Sendable>: Sendable {
  /// An element that is removed or inserted.
  public struct Entry: Sendable {
    /// Its index in the array before or after.
    public let index: Int
    /// The element.
    public let element: Element

    @inlinable
    init(index: Int, element: Element) {
      self.index = index
      self.element = element
    }
  }

  /// An element that has another value than before, and the same identity.
  public struct Update: Sendable {
    /// Its index in the array before.
    public let oldIndex: Int
    /// Its index in the array after.
    public let newIndex: Int
    /// Its value before.
    public let oldElement: Element
    /// Its value after.
    public let newElement: Element

    @inlinable
    init(oldIndex: Int, newIndex: Int, oldElement: Element, newElement: Element) {
      self.oldIndex = oldIndex
      self.newIndex = newIndex
      self.oldElement = oldElement
      self.newElement = newElement
    }
  }

  /// An element that has another place among those that stay.
  public struct Move: Sendable {
    /// Its index in the array before.
    public let oldIndex: Int
    /// Its index in the array after.
    public let newIndex: Int
    /// The element as it is after.
    public let element: Element

    @inlinable
    init(oldIndex: Int, newIndex: Int, element: Element) {
      self.oldIndex = oldIndex
      self.newIndex = newIndex
      self.element = element
    }
  }

  /// Elements that are gone, in the order of the array before.
  public let removed: [Entry]
  /// Elements that are new, in the order of the array after.
  public let inserted: [Entry]
  /// Elements that have changed, in the order of the array after. One that has moved too is also in
  /// ``moved``.
  public let updated: [Update]
  /// As few elements as possible that must be moved so that the others keep their order, in the order
  /// of the array after.
  public let moved: [Move]

  @inlinable
  init(removed: [Entry], inserted: [Entry], updated: [Update], moved: [Move]) {
    self.removed = removed
    self.inserted = inserted
    self.updated = updated
    self.moved = moved
  }

  /// Whether both arrays are equal.
  public var isEmpty: Bool {
    removed.isEmpty && inserted.isEmpty && updated.isEmpty && moved.isEmpty
  }

  /// Changes the array before into the array after.
  ///
  /// - Precondition: It is the array before.
  /// - Complexity: O(1) for updates alone but for copying the array when it is shared; O(*n*) otherwise.
  @inlinable
  public func apply(to elements: inout [Element]) {
    for update in updated { elements[update.oldIndex] = update.newElement }
    if removed.isEmpty, inserted.isEmpty, moved.isEmpty { return }
    var isLeaving = [Bool](repeating: false, count: elements.count)
    for entry in removed { isLeaving[entry.index] = true }
    for move in moved { isLeaving[move.oldIndex] = true }
    var staying = elements.indices.lazy.filter { !isLeaving[$0] }.makeIterator()
    var arriving =
      (inserted.map { ($0.index, $0.element) } + moved.map { ($0.newIndex, $0.element) })
      .sorted { $0.0 < $1.0 }[...]
    var result: [Element] = []
    result.reserveCapacity(elements.count - removed.count + inserted.count)
    while true {
      if let (index, element) = arriving.first, index == result.count {
        arriving.removeFirst()
        result.append(element)
      } else if let index = staying.next() {
        result.append(elements[index])
      } else {
        break
      }
    }
    elements = result
  }
}

extension ElementChanges {
  /// The changes from one array to another.
  ///
  /// - Parameters:
  ///   - old: The array before.
  ///   - new: The array after.
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
    // What both begin and end with needs no look at identities: mostly, that is nearly everything.
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
    // The elements that are in both, in the order of the array after.
    var matches: [(old: Int, new: Int)] = []
    for index in newRange {
      // It is taken, so that a second element with the identity counts as new.
      guard let oldIndex = oldIndexes.removeValue(forKey: id(new[index])) else {
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
    self.init(removed: removed, inserted: inserted, updated: updated, moved: moved)
  }
}

/// By position: whether the number is part of a longest subsequence whose numbers increase. No number
/// comes twice.
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
