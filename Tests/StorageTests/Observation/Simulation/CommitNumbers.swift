/// Which of the library's numbers can stand for the state after which commit.
struct CommitNumbers {
  /// A commit that got one of the numbers after `before`, up to `last`; `nil` while that is not known.
  private struct Entry {
    let commit: Int
    let before: UInt64
    var last: UInt64?
  }

  private var entries: [Entry]
  private var lastNumber: UInt64

  /// Begins at a quiet moment.
  init(commit: Int = 0, number: UInt64) {
    entries = [Entry(commit: commit, before: 0, last: number)]
    lastNumber = number
  }

  /// Takes the number that was given last, after something that has perhaps made a commit. When it is
  /// not announced yet, it gets a number later.
  mutating func note(commit: Int, number: UInt64, isAnnounced: Bool) {
    if commit != entries[entries.count - 1].commit {
      entries.append(Entry(commit: commit, before: lastNumber, last: nil))
    }
    guard isAnnounced else { return }
    for index in entries.indices where entries[index].last == nil { entries[index].last = number }
    lastNumber = number
  }

  /// The commits whose state a number may stand for; `nil` for one of the past.
  func commits(withNumber number: UInt64) -> ClosedRange<Int>? {
    guard let first = entries.first, let start = first.last, number >= start else { return nil }
    let earliest = entries.last { entry in entry.last.map { $0 <= number } ?? false } ?? first
    let latest = entries.last { $0.before < number } ?? first
    return min(earliest.commit, latest.commit)...max(earliest.commit, latest.commit)
  }
}
