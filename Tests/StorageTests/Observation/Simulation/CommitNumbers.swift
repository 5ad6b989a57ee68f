/// Which of the library's numbers can stand for the state after which commit.
struct CommitNumbers {
  /// A commit that got one of the numbers after `before`, up to `last`.
  private struct Entry {
    let commit: Int
    let before: UInt64
    var last: UInt64
  }

  private var entries: [Entry]
  private var lastNumber: UInt64

  /// Begins at a quiet moment.
  init(commit: Int = 0, number: UInt64) {
    entries = [Entry(commit: commit, before: 0, last: number)]
    lastNumber = number
  }

  /// Takes the number that was given last, after something that has perhaps made a commit.
  mutating func note(commit: Int, number: UInt64) {
    if commit != entries[entries.count - 1].commit {
      entries.append(Entry(commit: commit, before: lastNumber, last: number))
    } else if entries[entries.count - 1].last <= entries[entries.count - 1].before {
      // A commit of the raw handle may get its number later.
      entries[entries.count - 1].last = number
    }
    lastNumber = number
  }

  /// The commits whose state a number may stand for; `nil` for one of the past.
  func commits(withNumber number: UInt64) -> ClosedRange<Int>? {
    guard number >= entries[0].last,
      let latest = entries.last(where: { $0.before < number || $0.commit == entries[0].commit }),
      let earliest = entries.last(where: { $0.last <= number && $0.last > $0.before })
    else { return nil }
    return min(earliest.commit, latest.commit)...latest.commit
  }
}
