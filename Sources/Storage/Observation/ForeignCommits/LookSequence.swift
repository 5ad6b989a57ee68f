/// The looks that follow an event: one immediately, then one after each of these pauses.
///
/// An event comes before its commit is visible, because the file is written before it is synced and
/// unlocked. Most commits are visible to the first looks; the last looks wait for a slow disk.
struct LookSequence: Sendable {
  /// The pauses, in milliseconds: about one second in all.
  private static let pauses = [
    0.2, 0.3, 0.5, 0.5, 0.5, 1, 1, 2, 2, 4, 4, 8, 8, 16, 32, 64, 128, 256, 512,
  ]

  /// The index of the next pause.
  private var next: Int

  /// The looks after an event that may come from a foreign commit.
  static let afterEvent = LookSequence(next: 0)

  /// The looks after an event that commits of this process explain: the first pause is 4 ms.
  ///
  /// Foreign commits are rare while this process commits, so fewer looks are enough.
  static let afterOwnCommit = LookSequence(next: 9)

  /// Whether no further look follows.
  var isAtEnd: Bool { next == Self.pauses.count }

  /// Takes the pause before the next look.
  ///
  /// - Returns: The pause in seconds, or `nil` after the last look.
  mutating func takePause() -> Double? {
    guard !isAtEnd else { return nil }
    defer { next += 1 }
    return Self.pauses[next] / 1000
  }
}
