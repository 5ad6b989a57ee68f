/// What a probe gave after each commit, and how far its observer has come.
struct History {
  /// The first commit after which the probe gave something, up to the next entry.
  struct Entry {
    let commit: Int
    let outcome: Outcome
  }

  private(set) var entries: [Entry]
  /// The entry that the observer has been shown last.
  private var position = 0
  /// Whether a loop may have taken a value that nobody knows, and not have shown it yet.
  private var mayShowUnknown = false

  init(commit: Int, outcome: Outcome) {
    entries = [Entry(commit: commit, outcome: outcome)]
  }

  /// What the probe gives now.
  var current: Outcome { entries[entries.count - 1].outcome }

  mutating func append(commit: Int, outcome: Outcome) {
    if outcome != current { entries.append(Entry(commit: commit, outcome: outcome)) }
  }

  /// Moves on to the first entry that a delivery can show.
  ///
  /// - Returns: The ranges of commits after which the probe gave that, from there on; none when the
  ///   delivery shows what never was, or what was over before the delivery that came earlier.
  mutating func accept(_ outcome: Outcome, commits: Int) -> [ClosedRange<Int>] {
    guard let next = entries[position...].firstIndex(where: { $0.outcome == outcome }) else {
      return []
    }
    position = next
    return entries.indices[next...].filter { entries[$0].outcome == outcome }.map { index in
      let end = index + 1 < entries.count ? entries[index + 1].commit - 1 : commits
      return entries[index].commit...max(end, entries[index].commit)
    }
  }

  /// The observer has been shown the present, after states that nobody knows.
  mutating func skipToPresent(isBuffered: Bool) {
    position = entries.count - 1
    mayShowUnknown = isBuffered
  }

  /// Takes a delivery for one of those states, once.
  mutating func acceptUnknown() -> Bool {
    defer { mayShowUnknown = false }
    return mayShowUnknown
  }

  /// The observer has been shown the present, or `isBuffered`: it may still have to take what came after
  /// the last thing that it was shown. Nothing older may come.
  mutating func forgetPast(isBuffered: Bool) {
    // A loop whose task does not get its turn can leave a value untaken through many quiet moments, when the
    // present is what it took before.
    let first = isBuffered ? position : entries.count - 1
    entries.removeFirst(first)
    position = max(0, position - first)
  }
}
