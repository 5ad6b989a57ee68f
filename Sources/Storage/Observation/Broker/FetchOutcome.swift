/// How a run of a live query ended.
struct FetchOutcome: Sendable {
  /// What the query has read; `nil` when it was not run.
  var region: DatabaseRegion?
  /// Whether there is something new to deliver.
  let mustDeliver: Bool
  let hasFailed: Bool
  /// The error to deliver.
  var error: (any Error)?
  /// How long the query took, in nanoseconds.
  var duration: UInt64 = 0
}
