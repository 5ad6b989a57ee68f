internal import CWellspringSQLite
internal import WellspringSystem

/// The commits of one writing connection: numbers its own, and finds foreign ones, which other
/// processes and connections outside this library's pools make.
///
/// In WAL mode, the WAL's index counts all commits, and ``FileCommits`` counts the commits of this
/// process's pools: the difference is foreign. Without a WAL, and for attached databases,
/// `data_version` (a pragma) changes when any other connection commits, whatever pool it belongs
/// to.
///
/// It belongs to the connection, and is used inside its accesses only.
final class WriterCommits {
  /// A commit of the connection that has begun and not ended.
  struct PendingCommit {
    /// The connection, if it writes the file itself and not only attached ones.
    fileprivate let writer: ObjectIdentifier?
    /// How many pages the connection had written before; `nil` if the WAL's index does not count
    /// the commit.
    fileprivate let pagesWritten: Int32?
    /// How often the WAL hook had fired before; `nil` without a hook.
    fileprivate let walCommits: Int?
    /// Whether unknown foreign commits precede it.
    fileprivate let followsForeignCommits: Bool
  }

  private let commits: FileCommits
  /// Whether the WAL's index can be read.
  @exclusivity(unchecked) private var hasIndex = false
  /// The data versions of the file without a WAL, and of each attached database.
  @exclusivity(unchecked) private var lastVersions: [Int64]?
  /// The schema version. It also shows changes that neither hooks nor `data_version` report, such
  /// as `VACUUM` and a backup into the connection.
  @exclusivity(unchecked) private var lastSchemaVersion: Int64?
  /// ``CommitLedger/schemaChanges`` when the schema was read last.
  @exclusivity(unchecked) private var lastSchemaChanges: UInt64 = 0
  /// ``CommitLedger/ownSchemaChanges`` when the write transaction began.
  @exclusivity(unchecked) private var ownSchemaChanges: UInt64 = 0

  init(commits: FileCommits) {
    self.commits = commits
  }

  /// Prepares to find foreign commits, because observation begins or the journal mode may have
  /// changed.
  func begin(_ db: Database) {
    // This statement runs to its end, so that SQLite does not report an earlier commit to the WAL
    // hook together with the next one.
    let isWAL = (try? db.mainJournalMode()) == "wal"
    let hadIndex = hasIndex
    hasIndex = isWAL && WALIndex.read(db.sqliteConnection) != nil
    if !hasIndex { commits.forgetIndex() }
    // Versions from before are those of other files.
    if hasIndex != hadIndex { lastVersions = nil }
    // No other connection can have changed a private database.
    let isPrivate = !db.location.isFile && db.location.sharedName == nil
    if isPrivate, lastVersions == nil, db.attached.isEmpty { adopt(db) }
  }

  /// Makes the present state the known one, before the first observation fetches it.
  func adopt(_ db: Database) {
    if hasIndex, let index = WALIndex.read(db.sqliteConnection) {
      commits.withLedger { $0.adopt(index) }
    }
    // A foreign commit that came while nothing was observed may have changed the schema.
    if versionsHaveMoved(db) { commits.withLedger { $0.noteUnseenCommits() } }
  }

  /// Returns the index of the WAL; `nil` without a WAL.
  func index(_ db: Database) -> WALIndex? {
    hasIndex ? WALIndex.read(db.sqliteConnection) : nil
  }

  // MARK: Foreign commits

  /// Looks for foreign commits since the last look, outside a transaction.
  ///
  /// - Parameters:
  ///   - db: The connection.
  ///   - listener: Without an index, it is notified of the commits that only this connection sees.
  /// - Returns: The finding, and if it was not notified, why the changes are unknown. All listeners
  ///   are notified of the commits that the index shows.
  func check(
    _ db: Database,
    notifying listener: (any CommitListener)?
  ) -> (finding: ForeignCommitFinding, unnotified: PageObstacle?) {
    if Fault.isOn(.external) { return (.none, nil) }
    let hasMoved = versionsHaveMoved(db)
    guard hasIndex else {
      guard hasMoved, let listener else { return (hasMoved ? .some : .none, .noLog) }
      // Before the connection takes a snapshot that contains them: see ``isKnown(_:)``.
      commits.foreignCommitsWereFound(.foreign(.noLog), by: listener)
      return (.some, nil)
    }
    // An index that cannot be read says nothing, so that there may be foreign commits.
    guard let finding = commits.checkIndex(db) else { return (.some, .noIndex) }
    // The index's commits are those to the file itself.
    guard !hasMoved else { return (.some, .attached) }
    // The log says nothing about attached files.
    return (finding == .settled && !db.attached.isEmpty ? .none : finding, nil)
  }

  /// Looks for foreign commits under the write lock. All listeners are notified of commits that the
  /// index shows. Only `listener` is notified of commits that only this connection can see, because
  /// other pools look through their own connections.
  func checkUnderWriteLock(_ db: Database, notifying listener: (any CommitListener)?) {
    if hasIndex { commits.takeIndex(db) }
    if versionsHaveMoved(db), let listener {
      commits.foreignCommitsWereFound(.foreign(hasIndex ? .attached : .noLog), by: listener)
    }
    ownSchemaChanges = commits.withLedger { $0.ownSchemaChanges }
  }

  /// Whether a snapshot of this connection, without an index, contains only foreign commits that
  /// were reported to the listener.
  func isKnown(_ db: Database) -> Bool {
    guard !hasIndex, let known = lastVersions?.first else { return false }
    return (try? db.versions.dataVersion()) == known
  }

  private func versionsHaveMoved(_ db: Database) -> Bool {
    // Without attached files, the index counts everything.
    if hasIndex, lastVersions?.isEmpty ?? true, db.attached.isEmpty {
      lastVersions = []
      return false
    }
    let versions = versions(db)
    let schemaVersion = schemaVersion(db)
    defer {
      lastVersions = versions
      lastSchemaVersion = schemaVersion
    }
    // A version that cannot be read may have moved.
    return versions == nil || versions != lastVersions || schemaVersion != lastSchemaVersion
  }

  private func versions(_ db: Database) -> [Int64]? {
    try? (hasIndex ? [] : [db.versions.dataVersion()]) + db.versions.attachedDataVersions()
  }

  /// Returns `nil` with an index, because the index counts the changes of the schema too.
  private func schemaVersion(_ db: Database) -> Int64? {
    hasIndex ? nil : try? db.versions.schemaNumber()
  }

  // MARK: The schema

  /// Whether the schema may have changed since the last call, by another pool or a foreign commit.
  func schemaMayHaveChanged() -> Bool {
    let changes = commits.withLedger { $0.schemaChanges }
    defer { lastSchemaChanges = changes }
    return changes != lastSchemaChanges
  }

  /// Makes the schema version the known one after the connection itself has changed the schema.
  func adoptSchema(_ db: Database) { lastSchemaVersion = schemaVersion(db) }

  // MARK: Own commits

  /// The commit hook has fired: a commit is about to be written.
  func commitDidBegin(_ db: Database) -> PendingCommit {
    // During a commit that writes attached files only, other connections can commit to the file.
    // The index does not count such a commit.
    let writesFile = sqlite3_txn_state(db.sqliteConnection, "main") == SQLITE_TXN_WRITE
    let writer = writesFile ? ObjectIdentifier(self) : nil
    // Another pool may have begun to observe since this access began.
    let readsIndex = writesFile && (hasIndex || commits.withLedger { $0.hasIndex })
    let index = readsIndex ? WALIndex.read(db.sqliteConnection) : nil
    return PendingCommit(
      writer: writer,
      pagesWritten: index == nil ? nil : pagesWritten(db),
      walCommits: db.walHook?.commitCount,
      followsForeignCommits: commits.withLedger { $0.begin(index, writer: writer) }
    )
  }

  /// The commit has failed.
  func commitDidFail(_ commit: PendingCommit) {
    commits.commitDidFail(writer: commit.writer)
    // The end of the commit would have reported the foreign commits before it.
    if commit.followsForeignCommits { commits.foreignCommitsWereFound() }
  }

  /// The commit has succeeded. While SQLite is in the middle of a rollback, no statement is run.
  ///
  /// - Returns: Its number.
  func commitDidEnd(
    _ commit: PendingCommit,
    _ changes: CommittedChanges,
    _ db: Database,
    isRollingBack: Bool
  ) -> CommitNumber {
    let isCounted = commit.pagesWritten != nil
    let ending = commits.commitDidEnd(
      changes,
      index: isCounted ? WALIndex.read(db.sqliteConnection) : nil,
      hasWritten: hasWrittenFile(commit, db, isRollingBack: isRollingBack),
      writer: commit.writer
    )
    // The connection knows the schema that it has changed, unless another connection has changed it
    // too.
    if case .everything = changes.observed, ending.schemaChanges == lastSchemaChanges &+ 1 {
      lastSchemaChanges = ending.schemaChanges
    }
    return ending.number
  }

  /// Whether foreign commits precede the commit that is ending. `isVerified` says whether
  /// ``checkUnderWriteLock(_:notifying:)`` was called in its transaction.
  func foreignCommitsPrecede(_ commit: PendingCommit, _ db: Database, isVerified: Bool) -> Bool {
    // A commit of another pool of this process may have been visible when the transaction began,
    // and have ended since.
    guard !isVerified else {
      return commit.followsForeignCommits
        || commits.withLedger { $0.ownSchemaChanges } != ownSchemaChanges
    }
    if hasIndex { return commit.followsForeignCommits || schemaMayHaveChanged() }
    // A statement took the write lock. If no other connection has committed by now, none had
    // committed by then.
    return versionsHaveMoved(db)
  }

  /// Whether the commit has written any file, or may have.
  func mayHaveWritten(_ commit: PendingCommit, _ db: Database) -> Bool {
    commit.pagesWritten == nil || commit.pagesWritten != pagesWritten(db)
  }

  /// Whether the commit has written the file itself. If it has written attached or temporary files
  /// only, the next commit in the index is foreign.
  private func hasWrittenFile(
    _ commit: PendingCommit,
    _ db: Database,
    isRollingBack: Bool
  ) -> Bool {
    guard let before = commit.pagesWritten, pagesWritten(db) != before else { return false }
    // The page count covers all files. The WAL hook counts the commits to the file itself.
    guard let walHook = db.walHook, walHook.commitCount == commit.walCommits else { return true }
    if isRollingBack || walHook.reinstall() { return db.attached.isEmpty }
    walHook.catchUp()
    return walHook.commitCount != commit.walCommits
  }

  /// How many pages the connection has written so far. A commit that changes nothing writes none.
  private func pagesWritten(_ db: Database) -> Int32 {
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
