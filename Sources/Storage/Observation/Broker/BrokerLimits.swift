/// The limits that the broker's decisions depend on. Durations are in nanoseconds.
enum BrokerLimits {
  /// A query that takes longer than this runs separately, so that other queries do not wait for it.
  static let slowQuery: UInt64 = 10_000_000

  /// How long a batch of quick queries may take. It must be short, because the snapshot of a batch
  /// keeps SQLite from reusing the WAL.
  static let batchDuration: UInt64 = 50_000_000

  /// How long a runner busy-waits for the next commit. Waking its thread takes tens of microseconds
  /// on an idle processor, which is many times what a small query takes.
  static let maximumWait: UInt64 = 100_000

  /// How many commits that touched a query are remembered.
  static let maximumWakeUps = 8

  /// How many commits are remembered to explain why they touched no query.
  static let maximumLastCommits = 8

  /// How many recent commits are kept. More than these are kept as one commit that has changed
  /// everything.
  static let maximumRecentCommits = 256
}
