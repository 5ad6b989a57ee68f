/// The place of a commit in the order of the commits of one file, as this process sees it.
///
/// Commits of this process get numbers, and so do the moments at which foreign commits are noticed.
/// A snapshot has the number of the last commit that it contains. Numbers are not kept when the
/// process ends.
struct CommitNumber: Hashable, Comparable, Sendable {
  let rawValue: UInt64

  init(_ rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The number before the first commit.
  static let none = CommitNumber(0)

  /// A number that no commit reaches.
  static let max = CommitNumber(.max)

  /// The number of the commit that follows.
  var next: CommitNumber { CommitNumber(rawValue + 1) }

  static func < (left: CommitNumber, right: CommitNumber) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension CommitNumber: CustomStringConvertible {
  var description: String { String(rawValue) }
}
