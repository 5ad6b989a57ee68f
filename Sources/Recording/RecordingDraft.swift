internal import Storage

/// The record of the running transaction so far.
struct RecordingDraft {
  /// A row with a value that was written in place.
  struct WrittenBlob: Hashable {
    let table: String
    let rowID: Int64
    let column: String
  }

  /// The state at the beginning of a savepoint.
  struct Mark {
    let position: Int
    let schemaVersion: Int64?
  }

  var buffer = RecordingBuffer()
  var savepoints = SavepointStack<Mark>() { didSet { hasUsedSavepoints = true } }
  // Calls of a generic type of another module are slow, and most transactions have no savepoint.
  private var hasUsedSavepoints = false
  /// Whether a savepoint began the transaction, so that its release commits.
  var wasBegunBySavepoint = false

  /// How many rows the hook has reported.
  var rowEvents: Int64 = 0
  /// SQLite's count of changed rows at the beginning.
  private(set) var totalChanges: Int64 = 0

  var writtenBlobs: Set<WrittenBlob> = []
  /// The tables whose sequences the transaction may have changed.
  private(set) var touchedSequences: [String] = []
  /// Whether `sqlite_sequence` was written.
  var mustReadSequences = false
  /// The sequences after the transaction, when they were read.
  var nextSequences: [RecordedSequence]?
  /// Whether a pragma may have changed the header of the file.
  var mustReadHeader = false
  /// Whether virtual tables may hold rows in memory, which the next statement would write.
  var mayHoldRows = false
  /// Whether commits of other connections precede the transaction.
  var followsForeignCommits = false

  /// Whether nothing was recorded, and no row has changed.
  var isEmpty: Bool { buffer.isEmpty && rowEvents == 0 }

  /// Notes that the sequence of a table may change.
  mutating func touchSequence(of table: String) {
    guard touchedSequences.last != table, !touchedSequences.contains(table) else { return }
    touchedSequences.append(table)
  }

  /// Returns whether the release of a savepoint commits the transaction.
  func commits(releasing name: String) -> Bool {
    wasBegunBySavepoint && savepoints.isOutermost(name)
  }

  /// Removes the transaction, and keeps the memory of small ones.
  ///
  /// - Parameter totalChanges: SQLite's count of changed rows.
  mutating func removeAll(totalChanges: Int64) {
    buffer.removeAll()
    if hasUsedSavepoints {
      savepoints.removeAll()
      hasUsedSavepoints = false
    }
    wasBegunBySavepoint = false
    rowEvents = 0
    self.totalChanges = totalChanges
    if !writtenBlobs.isEmpty { writtenBlobs = [] }
    if !touchedSequences.isEmpty { touchedSequences = [] }
    mustReadSequences = false
    nextSequences = nil
    mustReadHeader = false
    mayHoldRows = false
    followsForeignCommits = false
  }
}
