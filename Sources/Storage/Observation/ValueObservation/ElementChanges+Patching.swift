extension ElementChanges {
  /// The changes between two arrays. A patch lists the indexes that differ, if they are known.
  ///
  /// - Parameters:
  ///   - old: The old array.
  ///   - new: The new array.
  ///   - patch: The indexes at which they differ; `nil` to compare the arrays.
  ///   - id: The identity of an element.
  ///   - areEqual: Whether two elements with the same identity have the same value.
  /// - Complexity: O(*m*²) for *m* elements that leave or come; without a patch, the complexity of
  ///   the comparison.
  @inlinable
  package init<ID: Hashable>(
    from old: [Element],
    to new: [Element],
    patch: ElementsPatch?,
    id: (Element) -> ID,
    areEqual: (Element, Element) -> Bool
  ) {
    guard let patch, old.count - patch.left.count == new.count - patch.arrived.count else {
      self.init(from: old, to: new, id: id, areEqual: areEqual)
      return
    }
    var removed: [Entry] = []
    var inserted: [Entry] = []
    var updated: [Update] = []
    var oldIndexes: [ID: Int] = [:]
    for index in patch.left where oldIndexes[id(old[index])] == nil {
      oldIndexes[id(old[index])] = index
    }
    var matched: Set<Int> = []
    // The elements that leave and come back, in the order of the new array.
    var matches: [(old: Int, new: Int)] = []
    var duplicate: ID?
    for index in patch.arrived {
      let identity = id(new[index])
      // A second element with the identity counts as new.
      guard let oldIndex = oldIndexes[identity], oldIndex >= 0, !matched.contains(oldIndex) else {
        if oldIndexes.updateValue(-1, forKey: identity) != nil { duplicate = duplicate ?? identity }
        inserted.append(Entry(index: index, element: new[index]))
        continue
      }
      matched.insert(oldIndex)
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
    for index in patch.left where !matched.contains(index) {
      removed.append(Entry(index: index, element: old[index]))
    }
    let moved = PatchedMoves(patch, matches).moved().map {
      Move(oldIndex: $0.old, newIndex: $0.new, element: new[$0.new])
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

/// Finds the smallest set of elements to be moved, without looking at each of the elements between
/// which nothing leaves or comes.
@usableFromInline
struct PatchedMoves {
  /// Adjacent elements that stay, or a single element that leaves and comes back.
  private struct Run {
    /// The first old index, counted without the elements that leave.
    let oldRank: Int
    /// The indexes of an element that leaves and comes back.
    let match: (old: Int, new: Int)?
    let count: Int

    func precedesInOldArray(_ other: Run) -> Bool {
      if oldRank != other.oldRank { return oldRank < other.oldRank }
      // Elements that leave come before the neighbours that follow them.
      guard let match else { return false }
      return other.match.map { match.old < $0.old } ?? true
    }
  }

  private let patch: ElementsPatch
  private let matches: [(old: Int, new: Int)]

  /// - Parameters:
  ///   - patch: The indexes at which two arrays differ.
  ///   - matches: The elements that leave and come back, in the order of the new array.
  @usableFromInline
  init(_ patch: ElementsPatch, _ matches: [(old: Int, new: Int)]) {
    self.patch = patch
    self.matches = matches
  }

  /// Returns the indexes of elements to be moved, in the order of the new array.
  @usableFromInline
  func moved() -> [(old: Int, new: Int)] {
    let ranks = matches.map {
      (old: rank(of: $0.old, patch.left), new: rank(of: $0.new, patch.arrived))
    }
    let isInOrder = zip(matches, matches.dropFirst()).allSatisfy { $0.old < $1.old }
    if isInOrder, ranks.allSatisfy({ $0.old == $0.new }) { return [] }
    let runs = runs(ranks)
    let staying = heaviestIncreasingRuns(runs)
    var moved: [(old: Int, new: Int)] = []
    for (run, isStaying) in zip(runs, staying) where !isStaying {
      if let match = run.match {
        moved.append(match)
      } else {
        for offset in 0..<run.count {
          let rank = run.oldRank + offset
          moved.append((index(ofRank: rank, patch.left), index(ofRank: rank, patch.arrived)))
        }
      }
    }
    return moved
  }

  /// Returns how many elements that stay come before an index.
  private func rank(of index: Int, _ others: [Int]) -> Int {
    index - (others.firstIndex { $0 >= index } ?? others.count)
  }

  /// Returns the index of an element that stays.
  private func index(ofRank rank: Int, _ others: [Int]) -> Int {
    var index = rank
    for other in others where other <= index { index += 1 }
    return index
  }

  /// Returns the runs in the order of the new array. The elements before the first cut and after
  /// the last one always stay.
  private func runs(_ ranks: [(old: Int, new: Int)]) -> [Run] {
    let cuts = Set(ranks.flatMap { [$0.old, $0.new] }).sorted()
    var runs: [Run] = []
    var rest = zip(matches, ranks).makeIterator()
    var next = rest.next()
    for (number, cut) in cuts.enumerated() {
      while let (match, rank) = next, rank.new == cut {
        runs.append(Run(oldRank: rank.old, match: match, count: 1))
        next = rest.next()
      }
      guard number + 1 < cuts.count else { break }
      runs.append(Run(oldRank: cut, match: nil, count: cuts[number + 1] - cut))
    }
    return runs
  }

  /// Returns which runs keep their order and have the most elements.
  private func heaviestIncreasingRuns(_ runs: [Run]) -> [Bool] {
    var weights: [Int] = []
    var previous: [Int?] = []
    for (number, run) in runs.enumerated() {
      var best: Int?
      for earlier in 0..<number where runs[earlier].precedesInOldArray(run) {
        if weights[earlier] > best.map({ weights[$0] }) ?? 0 { best = earlier }
      }
      previous.append(best)
      weights.append(run.count + (best.map { weights[$0] } ?? 0))
    }
    var isStaying = [Bool](repeating: false, count: runs.count)
    var number = weights.indices.max { weights[$0] < weights[$1] }
    while let current = number {
      isStaying[current] = true
      number = previous[current]
    }
    return isStaying
  }
}
