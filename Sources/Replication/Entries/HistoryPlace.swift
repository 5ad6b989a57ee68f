/// A place in the history of a database: what a file keeps in the transaction of its rows.
struct HistoryPlace: Hashable, Sendable {
  var database: DatabaseID
  /// The position of the last entry that is in the file.
  var position: LogPosition
  var epoch: Int64
  /// The number of the last commit.
  var commit: Int64
  /// The hash of the last entry.
  var hash: EntryHash

  /// The token of a write whose entry is the last one before this place.
  var token: WriteToken { WriteToken(epoch: epoch, sequence: position.sequence) }
}
