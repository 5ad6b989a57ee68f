/// Where a file is in the history of its database. It is written in the transaction of its rows.
struct HistoryPosition: Hashable, Sendable {
  var database: DatabaseID
  /// The position of the last entry that is in the file.
  var position: LogPosition
  var epoch: Int64
  /// The number of the last commit.
  var commit: Int64
  /// The hash of the last entry.
  var hash: EntryHash
}
