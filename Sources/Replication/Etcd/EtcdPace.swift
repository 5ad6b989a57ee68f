/// How many entries the next request reads, and how long the next watch waits to begin.
///
/// An answer that a slow link does not bring as a whole is useless. So after a slow answer, a
/// request asks for fewer entries, and after a fast answer, for more.
struct EtcdPace: Sendable {
  private static let largestBatch = 512
  /// How many bytes of entries an answer should hold at most: a fast link needs no larger ones, and
  /// three answers are in memory at a time. An entry may have 1.5 MB.
  private static let wantedBytes = 1 << 20
  private static let longestPause: UInt64 = 1_000_000_000

  /// How many entries to ask for.
  private(set) var batch = 4
  /// How many answers to ask for before the reader needs them. On a fast link, one is on its way
  /// while the server makes the next one.
  private(set) var readsAhead = 1
  /// Whether the last answer had as many entries as were asked for, so that more will follow.
  private(set) var isBehind = false
  /// How many watches in a row have ended as soon as they began.
  private var refusals: UInt64 = 0

  /// Notes how long an answer took.
  ///
  /// - Parameters:
  ///   - count: How many entries it had.
  ///   - bytes: Their size together.
  ///   - isFull: Whether it had as many entries as were asked for.
  ///   - nanoseconds: The time until it was complete.
  mutating func noteAnswer(of count: Int, bytes: Int, isFull: Bool, after nanoseconds: UInt64) {
    if nanoseconds > 1_000_000_000 {
      batch = max(1, batch / 2)
    } else if isFull, nanoseconds < 250_000_000 {
      batch = min(Self.largestBatch, batch * 2)
    }
    isBehind = isFull
    readsAhead = nanoseconds < 250_000_000 ? 2 : 1
    guard count > 0 else { return }
    batch = min(batch, max(1, Self.wantedBytes / max(1, bytes / count)))
  }

  /// Notes that no complete answer came.
  mutating func noteFailure() {
    batch = max(1, batch / 4)
    readsAhead = 1
  }

  /// Notes that a watch has ended, and returns how many nanoseconds to wait before the next one.
  mutating func pause(afterWatchThatLasted hasLasted: Bool) -> UInt64? {
    guard !hasLasted else {
      refusals = 0
      return nil
    }
    refusals += 1
    // The first refusal may come from a member that was just killed.
    return refusals == 1 ? nil : min(Self.longestPause, 20_000_000 << min(refusals, 6))
  }
}
