/// The outcomes of a probe after each commit, and the position of its observer among them.
struct History {
  /// An outcome, and the first commit after which the probe had it. It holds until the next entry.
  struct Entry {
    let commit: Int
    let outcome: Outcome
  }

  private(set) var entries: [Entry]
  /// The index of the entry that was delivered to the observer last.
  private var position = 0
  /// Whether a loop may still deliver a value of a state that the oracle could not record.
  private var mayShowUnknown = false

  init(commit: Int, outcome: Outcome) {
    entries = [Entry(commit: commit, outcome: outcome)]
  }

  /// The outcome of the probe now.
  var current: Outcome { entries[entries.count - 1].outcome }

  mutating func append(commit: Int, outcome: Outcome) {
    if outcome != current { entries.append(Entry(commit: commit, outcome: outcome)) }
  }

  /// Advances to the first entry that matches a delivery.
  ///
  /// - Returns: The ranges of commits, from that entry on, after which the probe had this outcome.
  ///   Empty if the probe never had it, or had it only before the previous delivery.
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

  /// Notes that the observer has received the present state after states that were not recorded.
  mutating func skipToPresent(isBuffered: Bool) {
    position = entries.count - 1
    mayShowUnknown = isBuffered
  }

  /// Accepts one delivery of a state that was not recorded.
  mutating func acceptUnknown() -> Bool {
    defer { mayShowUnknown = false }
    return mayShowUnknown
  }

  /// Discards the entries that can no longer be delivered.
  ///
  /// The observer has received the present state. If `isBuffered`, its task may still have to take
  /// the values after the last one that it received. Nothing older may come.
  mutating func forgetPast(isBuffered: Bool) {
    // A loop whose task is not scheduled can leave a value in the buffer through several calls, if
    // the present state equals the value that it took before.
    let first = isBuffered ? position : entries.count - 1
    entries.removeFirst(first)
    position = max(0, position - first)
  }
}
