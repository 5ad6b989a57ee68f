internal import CWellspringSQLite

/// Records the transactions of one connection: the rows in the order of execution, and what changed
/// without rows.
///
/// It belongs to the connection: only the access that holds the connection uses it.
final class TransactionRecorder: ChangeRecorder {
  /// A row of which a value was written in place.
  struct WrittenBlob: Hashable {
    let table: String
    let rowID: Int64
    let column: String
  }

  /// An open savepoint, and the state at its beginning.
  struct Savepoint {
    let name: String
    let position: Int
    let schemaVersion: Int64?
  }

  // The database owns the recorder, and outlives its use.
  unowned(unsafe) let database: Database
  let delegate: any TransactionRecorderDelegate

  @exclusivity(unchecked) var buffer = RecordingBuffer()
  @exclusivity(unchecked) var savepoints: [Savepoint] = []
  /// Whether a savepoint began the transaction, so that its release commits.
  @exclusivity(unchecked) var wasBegunBySavepoint = false
  /// The running statements that write, and where their items begin.
  @exclusivity(unchecked) var starts: [(statement: ObjectIdentifier, position: Int)] = []

  /// The tables, as of a schema version.
  @exclusivity(unchecked) var tables: [RecordableTable] = []
  @exclusivity(unchecked) var tableNames: [ContiguousArray<CChar>] = []
  @exclusivity(unchecked) var tablesVersion: SchemaVersion?
  /// The number of the schema after all that was recorded so far; `nil` while it is unknown.
  @exclusivity(unchecked) var schemaVersion: Int64?
  @exclusivity(unchecked) var sequenceTables: Set<String> = []
  /// The names of virtual tables, in lower case.
  @exclusivity(unchecked) var virtualTables: Set<String> = []
  /// Whether virtual tables may hold rows in memory, which the next statement would write.
  @exclusivity(unchecked) var mayHoldRows = false
  /// The table of the last row.
  @exclusivity(unchecked) var lastTable: Int?

  /// How many rows the hook has reported in the running transaction.
  @exclusivity(unchecked) var rowEvents: Int64 = 0
  /// SQLite's count of changed rows when the transaction began.
  @exclusivity(unchecked) var totalChanges: Int64 = 0
  /// Whether rows are not recorded: the delegate or the recorder itself writes.
  @exclusivity(unchecked) var isSuspended = false
  /// Whether SQLite changes rows by statements that are not ``Statement``s.
  @exclusivity(unchecked) var runsInternalStatements = false

  @exclusivity(unchecked) var writtenBlobs: Set<WrittenBlob> = []
  @exclusivity(unchecked) var touchedSequences: [String] = []
  @exclusivity(unchecked) var mustReadSequences = false
  /// The sequences after the last commit; `nil` while they are unknown.
  @exclusivity(unchecked) var knownSequences: [RecordedSequence]?
  @exclusivity(unchecked) var nextSequences: [RecordedSequence]?
  @exclusivity(unchecked) var mustReadHeader = false
  /// How often SQLite had compiled statements of the raw handle at the last commit.
  @exclusivity(unchecked) var unrecordedCalls: UInt = 0

  /// The commits of other connections.
  @exclusivity(unchecked) var foreignCommits = ForeignCommitCheck()
  /// How many savepoint statements the raw handle had compiled when they were last looked at.
  @exclusivity(unchecked) var knownSavepoints: UInt = 0
  /// How many it had compiled before the running savepoint statement of this library.
  @exclusivity(unchecked) var savepointsBeforeStatement: UInt = 0
  /// Whether the raw handle may run savepoint statements that it has compiled before.
  @exclusivity(unchecked) var mayHaveRawSavepoints = false

  /// Whether all was recorded, so that SQLite may commit.
  @exclusivity(unchecked) var isPrepared = false
  /// Whether the delegate was notified of the transaction.
  @exclusivity(unchecked) var wasAnnounced = false
  /// Whether a row changed after the transaction was given to the delegate.
  @exclusivity(unchecked) var hasLateRows = false
  /// The statement for which a transaction was begun.
  @exclusivity(unchecked) var implicitStatement: ObjectIdentifier?
  /// Whether a statement runs that commits on its own, and changes no content.
  @exclusivity(unchecked) var runsNeutralStatement = false
  @exclusivity(unchecked) var refusal: (any Error)?

  init(database: Database, delegate: any TransactionRecorderDelegate) {
    self.database = database
    self.delegate = delegate
  }

  var isInsideTransaction: Bool { sqlite3_get_autocommit(database.sqliteConnection) == 0 }

  /// Runs a closure whose rows are not recorded.
  func suspended<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = isSuspended
    isSuspended = true
    defer { isSuspended = outer }
    return try body()
  }

  /// Forgets the running transaction.
  func forgetTransaction() {
    buffer.removeAll()
    if !savepoints.isEmpty { savepoints = [] }
    wasBegunBySavepoint = false
    rowEvents = 0
    totalChanges = sqlite3_total_changes64(database.sqliteConnection)
    if !writtenBlobs.isEmpty { writtenBlobs = [] }
    if !touchedSequences.isEmpty { touchedSequences = [] }
    mustReadSequences = false
    nextSequences = nil
    mustReadHeader = false
    mayHoldRows = false
    isPrepared = false
    hasLateRows = false
  }

  // MARK: Ends of transactions

  func didRollBack() {
    forgetTransaction()
    // The schema may be another one again.
    schemaVersion = nil
  }

  func contentWasReplaced() {
    forgetTransaction()
    schemaVersion = nil
    tablesVersion = nil
    knownSequences = nil
    _ = try? foreignCommits.adopt(database)
    delegate.contentWasReplaced(database)
  }

  func mayCommit() -> Bool {
    let state = sqlite3_txn_state(database.sqliteConnection, "main")
    guard state == SQLITE_TXN_WRITE else { return true }
    if isPrepared {
      if hasLateRows { refusal = RecordingError.changedWhileCommitting }
      return !hasLateRows
    }
    if runsNeutralStatement, buffer.isEmpty, rowEvents == 0 { return true }
    refusal = RecordingError.unrecordedCommit
    return false
  }

  func takeRefusal() -> (any Error)? {
    defer { refusal = nil }
    return refusal
  }

  // MARK: Tables

  /// Reads the tables again if the schema has changed.
  func learnTables() throws {
    if let schemaVersion, schemaVersion == tablesVersion?.number { return }
    try suspended {
      let version = try database.versions.schemaVersion()
      schemaVersion = schemaVersion ?? version.number
      guard tablesVersion != version else { return }
      tables = try RecordableTable.all(database)
      tableNames = tables.map(\.name.utf8CString)
      sequenceTables = Set(tables.filter(\.mayHaveSequence).map(\.name.asciiLowercased))
      lastTable = nil
      let virtual = try Row.fetchAll(
        database,
        sql: """
          SELECT lower(name) FROM main.sqlite_schema
          WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'
          """
      )
      virtualTables = Set(virtual.compactMap { $0.schemaText("lower(name)") })
      tablesVersion = version
    }
  }

  func table(named name: String) -> RecordableTable? {
    let name = name.asciiLowercased
    return tables.first { $0.name.asciiLowercased == name }
  }
}
