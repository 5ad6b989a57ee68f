/// The result of a run that its query has not recorded yet.
struct PendingFetch: Sendable {
  /// Whether the query failed with an error that ends the transaction, such as a full disk.
  let endedSnapshot: Bool
  let result: Result<PatchedFetch<AnyObservedMoment>, any Error>
  /// Whether the snapshot had no commits but those up to its number.
  let isExact: Bool
  /// What the query has read.
  let region: DatabaseRegion
  /// The SQL of its statements.
  let statements: [String]
  /// How long the query took, in nanoseconds.
  let duration: UInt64
}
