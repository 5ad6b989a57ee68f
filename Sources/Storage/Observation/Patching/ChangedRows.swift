/// The rows of one table that have changed between two snapshots.
struct ChangedRows: Sendable {
  /// The number of the earlier snapshot.
  let since: CommitNumber
  let ids: RowIdentities
}
