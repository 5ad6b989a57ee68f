internal import CWellspringSQLite

/// Tells a writing connection's own commits from those of others: of other processes, and of other
/// connections of this one.
///
/// With a WAL, its index counts all commits, and ``FileCommits`` counts those of this process's pools:
/// the rest is external. Without one, and for attached databases, `PRAGMA data_version` tells, which
/// does not move on commits of the connection that reads it, but does on those of other pools.
///
/// It belongs to the access that holds the connection.
final class ExternalCommits {
  private let commits: FileCommits
  /// Whether the WAL's index can be read.
  private var hasIndex = false
  /// The version of the file without a WAL, and of each attached database.
  private var lastVersions: [Int64]?
  /// The version of the schema: it moves with what neither hooks nor `data_version` tell of, such as
  /// `VACUUM` and a backup into the connection.
  private var lastSchemaVersion: Int64?
  /// What ``FileCommits`` had counted when the schema was looked at last.
  private var lastSchemaChanges: UInt64 = 0

  // The commit that is under way.
  /// Whether the WAL's index counts it.
  private var isCounted = false
  private var pagesWritten: Int32 = 0
  /// This connection, when it writes the file itself.
  private var writer: ObjectIdentifier?
  private var hasWrittenWAL = false
  private var hasMissedCommits = false
  /// What ``FileCommits`` had counted when the transaction began.
  private var ownSchemaChanges: UInt64 = 0

  init(commits: FileCommits) {
    self.commits = commits
  }

  /// Somebody observes from now on, or the journal mode may be another one.
  func begin(_ db: Database) {
    // This runs to its end, so that the WAL's hook is not called for an earlier commit with the next one.
    let isWAL = (try? db.pragmas.journalMode()) == "wal"
    hasIndex = isWAL && WALIndex.read(db.sqliteConnection) != nil
    if !hasIndex { commits.forgetIndex() }
    // There are no others who could have changed a database that only this connection has.
    let isPrivate = !db.location.isFile && db.location.sharedName == nil
    if isPrivate, lastVersions == nil, !db.pragmas.hasAttachedDatabases { adopt(db) }
  }

  /// Takes the present state as known, before the first observation fetches it.
  func adopt(_ db: Database) {
    if hasIndex, let index = WALIndex.read(db.sqliteConnection) { commits.adoptIndex(index) }
    lastVersions = versions(db)
    lastSchemaVersion = schemaVersion(db)
  }

  /// Looks whether others have committed since the last look, outside of a transaction.
  ///
  /// - Returns: What was found; brokers are told of what the index says, but of nothing else.
  func check(_ db: Database) -> (change: ExternalChange, isTold: Bool) {
    let hasMoved = versionsHaveMoved(db)
    guard hasIndex else { return (hasMoved ? .some : .none, false) }
    // An index that cannot be read says nothing, so that something may have happened.
    let change = commits.checkIndex { WALIndex.read(db.sqliteConnection) }
    // Who is told of the index sees the other files too.
    if change == .some { return (.some, true) }
    return hasMoved ? (.some, false) : change.map { ($0, true) } ?? (.some, false)
  }

  /// Looks whether others have committed since the last look, while the write lock is held, and tells
  /// the brokers: all of them of what the index says, and `broker` alone of what only this connection
  /// can tell, because the others look by themselves.
  func check(_ db: Database, telling broker: ObservationBroker?) {
    if hasIndex, let index = WALIndex.read(db.sqliteConnection), commits.takeIndex(index) {
      commits.didChangeExternally()
    }
    if versionsHaveMoved(db), let broker { commits.didChangeExternally(noticedBy: broker) }
    ownSchemaChanges = commits.ownSchemaChanges
  }

  private func versionsHaveMoved(_ db: Database) -> Bool {
    // Without a further file, all is in the index.
    if hasIndex, lastVersions?.isEmpty ?? true, !db.pragmas.hasAttachedDatabases {
      lastVersions = []
      return false
    }
    let versions = versions(db)
    let schemaVersion = schemaVersion(db)
    defer {
      lastVersions = versions
      lastSchemaVersion = schemaVersion
    }
    // A number that cannot be read is an unknown number.
    return versions == nil || versions != lastVersions || schemaVersion != lastSchemaVersion
  }

  private func versions(_ db: Database) -> [Int64]? {
    try? (hasIndex ? [] : [db.pragmas.dataVersion()]) + db.pragmas.attachedDataVersions()
  }

  /// With an index, what moves it is counted already.
  private func schemaVersion(_ db: Database) -> Int64? {
    hasIndex ? nil : try? db.pragmas.schemaVersion()
  }

  // MARK: The schema

  /// Whether the schema may have changed since this was asked last: another pool of this process may
  /// have changed it, or somebody else.
  func schemaMayHaveChanged() -> Bool {
    let changes = commits.schemaChanges
    defer { lastSchemaChanges = changes }
    return changes != lastSchemaChanges
  }

  /// The connection itself has changed the schema, and told of it.
  func adoptSchema(_ db: Database) { lastSchemaVersion = schemaVersion(db) }

  // MARK: Own commits

  /// The commit hook has fired: a commit is about to be written.
  func commitDidBegin(_ db: Database) {
    // Others can commit beside one that writes attached files only, which counts nothing here.
    let writesFile = sqlite3_txn_state(db.sqliteConnection, "main") == SQLITE_TXN_WRITE
    writer = writesFile ? ObjectIdentifier(self) : nil
    // Others may observe since this access began.
    let readsIndex = writesFile && (hasIndex || commits.hasIndex)
    let index = readsIndex ? WALIndex.read(db.sqliteConnection) : nil
    isCounted = index != nil
    pagesWritten = pagesWritten(db)
    hasWrittenWAL = false
    hasMissedCommits = commits.commitDidBegin(index, writer: writer)
  }

  /// The commit has failed.
  func commitDidFail() {
    commits.commitDidFail(writer: writer)
    // The commit would have told of those that others made before it.
    if hasMissedCommits { commits.didChangeExternally() }
    hasMissedCommits = false
  }

  /// The WAL of `main` holds the commit.
  func walCommitDidEnd() { hasWrittenWAL = true }

  /// Whether others have committed before the commit that is ending.
  func haveCommittedBefore(_ db: Database, isVerified: Bool) -> Bool {
    // A commit of another pool of this process may have been visible when this began, and have been
    // announced since.
    guard !isVerified else {
      return hasMissedCommits || commits.ownSchemaChanges != ownSchemaChanges
    }
    if hasIndex { return hasMissedCommits || schemaMayHaveChanged() }
    // The transaction took the write lock by itself. If nobody else has committed even now, nobody
    // had then.
    return versionsHaveMoved(db)
  }

  /// The commit is done. While SQLite is in the middle of a rollback, nothing is run.
  ///
  /// - Returns: Its number.
  func commitDidEnd(
    _ changes: CommittedChanges,
    _ db: Database,
    isRollingBack: Bool = false
  ) -> UInt64 {
    let (number, schemaChanges) = commits.commitDidEnd(
      changes,
      index: isCounted ? WALIndex.read(db.sqliteConnection) : nil,
      hasWritten: hasWritten(db, isRollingBack: isRollingBack),
      writer: writer
    )
    // Who has made the commit knows of it, unless somebody else has changed the schema too.
    if case .everything = changes.observed, schemaChanges == lastSchemaChanges &+ 1 {
      lastSchemaChanges = schemaChanges
    }
    return number
  }

  /// Whether the commit that is ending has written anything, or that cannot be told.
  func mayHaveWritten(_ db: Database) -> Bool {
    !isCounted || pagesWritten(db) != pagesWritten
  }

  /// Whether the commit has written the file, and not attached or temporary ones only: the next commit there
  /// may be that of somebody else already.
  private func hasWritten(_ db: Database, isRollingBack: Bool) -> Bool {
    guard pagesWritten(db) != pagesWritten else { return false }
    // The pages are those of all files. The WAL's hook tells it exactly, where there is one.
    guard let walHook = db.walHook, !hasWrittenWAL else { return true }
    if isRollingBack || walHook.reinstall(on: db.sqliteConnection) {
      return !db.pragmas.hasAttachedDatabases
    }
    walHook.catchUp(on: db.sqliteConnection)
    return hasWrittenWAL
  }

  /// How many pages the connection has written so far. A commit that changes nothing writes none.
  private func pagesWritten(_ db: Database) -> Int32 {
    guard isCounted else { return 0 }
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(
      db.sqliteConnection,
      SQLITE_DBSTATUS_CACHE_WRITE,
      &current,
      &highest,
      0
    )
    return current
  }
}
