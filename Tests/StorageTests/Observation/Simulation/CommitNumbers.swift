/// Relates the numbers that the library gives to commits to the commits that the oracle counts.
struct CommitNumbers {
  /// A commit whose number is higher than `before` and at most `last`. `last` is `nil` until the
  /// library has announced the commit.
  private struct Entry {
    let commit: Int
    let before: UInt64
    var last: UInt64?
  }

  private var entries: [Entry]
  private var lastNumber: UInt64

  /// Creates the relation at a moment when no commit is under way.
  init(commit: Int = 0, number: UInt64) {
    entries = [Entry(commit: commit, before: 0, last: number)]
    lastNumber = number
  }

  /// Notes the library's latest number after an action that may have committed.
  ///
  /// A commit that is not announced yet gets its number in a later call.
  mutating func note(commit: Int, number: UInt64, isAnnounced: Bool) {
    if commit != entries[entries.count - 1].commit {
      entries.append(Entry(commit: commit, before: lastNumber, last: nil))
    }
    guard isAnnounced else { return }
    for index in entries.indices where entries[index].last == nil { entries[index].last = number }
    lastNumber = number
  }

  /// The commits whose state a number may represent; `nil` if the number is older than the first
  /// entry.
  func commits(withNumber number: UInt64) -> ClosedRange<Int>? {
    guard let first = entries.first, let start = first.last, number >= start else { return nil }
    let earliest = entries.last { entry in entry.last.map { $0 <= number } ?? false } ?? first
    let latest = entries.last { $0.before < number } ?? first
    return min(earliest.commit, latest.commit)...max(earliest.commit, latest.commit)
  }
}
