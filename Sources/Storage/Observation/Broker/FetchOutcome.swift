/// How a run of a live query ended.
struct FetchOutcome: Sendable {
  /// What the query has read; `nil` when it was not run, or when its value was patched.
  var region: DatabaseRegion?
  /// The tables of which changed rows must be known, so that the next value can be patched; none if
  /// it cannot.
  var patchedTables: Set<TableName> = []
  /// The bytes that are held for that.
  var patchMemory = 0
  /// Whether the last value was patched.
  var wasPatched = false
  /// Whether there is something new to deliver.
  let mustDeliver: Bool
  let hasFailed: Bool
  /// The error to deliver.
  var error: (any Error)?
  /// How long the query took, in nanoseconds.
  var duration: UInt64 = 0
}
