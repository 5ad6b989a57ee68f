/// When a query that failed is run again.
///
/// A commit that changes what the query reads makes it run too. Retries are for causes outside the
/// database, such as a locked file or a full disk.
struct QueryRetry: Sendable {
  private static let firstDelay: UInt64 = 1_000_000_000
  private static let maximumDelay: UInt64 = 64_000_000_000

  /// In nanoseconds, on the broker's clock.
  let time: UInt64
  private let delay: UInt64

  /// - Parameters:
  ///   - last: The previous retry, if the previous run failed too. It stays planned if its time has
  ///     not come, because a commit has made the query run.
  ///   - now: The time, in nanoseconds.
  init(after last: QueryRetry?, at now: UInt64) {
    if let last, last.time > now {
      self = last
    } else {
      delay = last.map { min($0.delay * 2, Self.maximumDelay) } ?? Self.firstDelay
      time = now + delay
    }
  }
}
