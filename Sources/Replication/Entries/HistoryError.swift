/// Why entries of a log do not continue the history of a database.
public enum HistoryError: Error, Hashable, Sendable {
  /// An entry is not readable.
  case damaged(LogPosition, EntryError)
  /// The log gave another entry than the next one: some are lost, or come in the wrong order.
  case missing(LogPosition, found: LogPosition)
  /// The log now has another entry at a position that this node has read before.
  case replaced(LogPosition)
  /// An entry belongs to another database.
  case foreignDatabase(LogPosition, DatabaseID)
  /// An entry does not follow the one before: it names another hash.
  case brokenChain(LogPosition)
  /// An entry of an earlier epoch, or of an epoch that has not begun.
  case wrongEpoch(LogPosition, Int64, expected: Int64)
  /// An entry has another commit number than the next one.
  case wrongCommit(LogPosition, Int64, expected: Int64)
  /// A part of a large entry does not continue the part before.
  case wrongPart(LogPosition)
}

extension HistoryError: CustomStringConvertible {
  /// The error, and its meaning.
  public var description: String {
    switch self {
    case .damaged(let position, let error): "Entry \(position) of the log: \(error)"
    case .missing(let position, let found):
      "The log gave entry \(found) instead of entry \(position)."
    case .replaced(let position):
      "Entry \(position) of the log is not the one that this node has read before."
    case .foreignDatabase(let position, let database):
      "Entry \(position) of the log belongs to database \(database)."
    case .brokenChain(let position):
      "Entry \(position) of the log does not follow the history of this node."
    case .wrongEpoch(let position, let epoch, let expected):
      "Entry \(position) of the log has epoch \(epoch), but epoch \(expected) must follow."
    case .wrongCommit(let position, let commit, let expected):
      "Entry \(position) of the log has commit \(commit), but commit \(expected) must follow."
    case .wrongPart(let position):
      "Entry \(position) of the log is a part that does not continue the part before."
    }
  }
}
