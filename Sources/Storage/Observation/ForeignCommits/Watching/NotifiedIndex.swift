internal import WellspringSystem

/// The index of a watched file's log that counts the commits that have a number for the broker, and
/// no other ones.
///
/// A snapshot with this index is exact: it contains the commits up to its number, and no later
/// ones.
final class NotifiedIndex: Sendable {
  // Guards the index; `nil` if it is not known.
  private let index = Lock<WALIndex?>(nil)

  var isKnown: Bool { index.withLock { $0 != nil } }

  /// Sets the index, when the commits that it counts have a number.
  func set(_ index: WALIndex?) { self.index.withLock { $0 = index } }

  /// Returns whether an index counts the same commits.
  func countsSameCommits(as other: WALIndex) -> Bool {
    index.withLock { $0.map { $0.countsSameFrames(as: other) } ?? false }
  }
}
