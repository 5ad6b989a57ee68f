internal import CWellspringSQLite
internal import Storage

/// Records the transactions of one connection: the rows in the order of execution, and changes
/// without rows.
///
/// It belongs to the connection: only the access that holds the connection uses it.
final class TransactionRecorder: ChangeRecorder {
  // The database owns the recorder, and outlives its use.
  unowned(unsafe) let database: Database
  let delegate: any TransactionRecorderDelegate

  // An access to a connection has one thread, and SQLite's hooks call on it.
  @exclusivity(unchecked) var phase = RecordingPhase()
  @exclusivity(unchecked) var draft = RecordingDraft()
  @exclusivity(unchecked) var tables = RecordedTables()
  /// The running statements that write, and where their items begin.
  @exclusivity(unchecked) var starts: [(statement: ObjectIdentifier, position: Int)] = []
  /// The number of the schema after all that was recorded so far; `nil` while it is unknown.
  @exclusivity(unchecked) var schemaVersion: Int64?
  /// Whether SQLite changes rows by statements that are not ``Statement``s.
  @exclusivity(unchecked) var runsInternalStatements = false
  /// The statement for which a transaction was begun.
  @exclusivity(unchecked) var implicitStatement: ObjectIdentifier?

  // The knowledge between transactions.

  /// The sequences after the last commit; `nil` while they are unknown.
  @exclusivity(unchecked) var knownSequences: [RecordedSequence]?
  /// How often SQLite had compiled statements of the raw handle at the last commit.
  @exclusivity(unchecked) var unrecordedCalls: UInt = 0
  /// The commits of other connections.
  @exclusivity(unchecked) var foreignCommits = ForeignCommitCheck()
  @exclusivity(unchecked) var rawSavepoints = RawSavepoints()

  init(database: Database, delegate: any TransactionRecorderDelegate) {
    self.database = database
    self.delegate = delegate
  }

  var isInsideTransaction: Bool { sqlite3_get_autocommit(database.sqliteConnection) == 0 }

  /// Runs a closure whose changes are not recorded.
  func suspended<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = phase.enter(.nothing)
    defer { phase.leave(to: outer) }
    return try body()
  }

  /// Runs a closure whose transactions are not recorded, and are committed without asking the
  /// delegate.
  func bypassed<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = phase.enter(.bypassed)
    starts.removeAll()
    defer {
      phase.leave(to: outer)
      forgetTransaction()
      forgetContent()
      // Statements of the raw handle that were compiled before may run from here on.
      unrecordedCalls = 0
    }
    return try body()
  }

  /// Discards the running transaction.
  func forgetTransaction() {
    draft.removeAll(totalChanges: sqlite3_total_changes64(database.sqliteConnection))
    phase.forgetTransaction()
  }

  /// Drops the knowledge of the content, which may be another one.
  private func forgetContent() {
    schemaVersion = nil
    knownSequences = nil
  }

  // MARK: Ends of transactions

  func didRollBack() {
    forgetTransaction()
    // The schema may be another one again.
    schemaVersion = nil
  }

  func contentWasReplaced() {
    forgetTransaction()
    forgetContent()
    tables.forgetVersion()
    // Who replaces the content in a bypass knows of it.
    guard phase.records else { return }
    _ = try? foreignCommits.adopt(database)
    delegate.contentWasReplaced(database)
  }

  func mayCommit() -> Bool {
    let state = sqlite3_txn_state(database.sqliteConnection, "main")
    return state != SQLITE_TXN_WRITE || phase.mayCommit(hasContent: !draft.isEmpty)
  }

  func takeRefusal() -> (any Error)? { phase.takeRefusal() }

  // MARK: Tables

  /// Reads the tables again if the schema has changed.
  func learnTables() throws {
    if let schemaVersion, schemaVersion == tables.version?.number { return }
    try suspended {
      let version = try database.versions.schemaVersion()
      schemaVersion = schemaVersion ?? version.number
      try tables.learn(database, version)
    }
  }
}
