/// Why bytes are no recorded transaction, or a transaction cannot be recorded.
package enum RecordingError: Error, Hashable, Sendable {
  /// The bytes were made by another version of this library.
  case unknownFormat(UInt8)
  /// The bytes are damaged.
  case damaged(String)
  /// Only `Database` records: a commit by the raw connection was refused.
  case unrecordedCommit
  /// A virtual table changed rows while SQLite committed.
  case changedWhileCommitting
}

extension RecordingError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownFormat(let version):
      "the recorded transaction has the format \(version), which this version cannot read"
    case .damaged(let what):
      "the recorded transaction is damaged: \(what)"
    case .unrecordedCommit:
      """
      a transaction that is recorded was committed through sqliteConnection: commit it through \
      Database
      """
    case .changedWhileCommitting:
      "a virtual table has changed rows while SQLite committed, after the rows were recorded"
    }
  }
}
