internal import CWellspringSQLite

/// The observed tables of a connection, as of a generation of the pools' observed tables.
struct ObservedSchema {
  /// The tables, columns and rows.
  var tables = ObservedTables()
  /// The sequence tables of `AUTOINCREMENT` among them, which change without a hook event.
  var sequences: [TableName] = []
  /// The tables that the observations of all pools read, without the region observers of this
  /// connection.
  var sharedTables = ObservedTables()
  var generation: UInt64 = 0
  var growth = ObservationGeneration(0)
  /// The columns of ``tables``, as of the last look at the schema.
  var columns: [TableName: StoredColumns] = [:]
  /// The numbers in the header of the file after the last commit, once they are needed.
  var headerNumbers: [Int64]?
  /// Whether the schema, or the regions of the region observers, may have changed since.
  var isOutdated = true
}

/// The observed tables of the connection, and the observers of its transactions.
extension ChangeTracker {
  // MARK: Tables

  /// Reads the observed tables and their columns again, if they have changed since the last call.
  func learnObservedTables() {
    let current = fileCommits.observedTables(after: observed.generation)
    if let current { (observed.generation, observed.growth, observed.sharedTables) = current }
    guard current != nil || observed.isOutdated else { return }
    observed.isOutdated = false
    mustRebuildTransaction = true
    observed.tables = observed.sharedTables
    for observer in regionObservers {
      observer.resolve(database)
      if let region = observer.region { observed.tables.formUnion(region.observedTables) }
    }
    observed.sequences = learnSequences()
    for table in observed.tables.names where observed.columns[table] == nil {
      // A table whose columns cannot be read counts as changed in all of its rows.
      observed.columns[table] = try? StoredColumns(of: table, database)
    }
  }

  /// Returns the sequence tables of `AUTOINCREMENT` that are observed.
  private func learnSequences() -> [TableName] {
    guard observed.tables.includesFullDatabase else {
      return observed.tables.names.filter { $0.name == RegionAnalysis.sequenceTable }
    }
    let schemas = ["main"] + database.attached.names
    return schemas.map { TableName(schema: $0, name: RegionAnalysis.sequenceTable) }.filter {
      (try? StoredColumns(of: $0, database))?.names.isEmpty != true
    }
  }

  /// Drops the schema, which may have changed: the next access reads it again.
  func forgetSchema() {
    observed.columns = [:]
    observed.isOutdated = true
    mustRebuildTransaction = true
    for observer in regionObservers { observer.forgetRegion() }
  }

  // MARK: Observers

  func takeRegistrations() {
    observers.prune()
    take(registrations.take())
  }

  func take(_ registrations: [WriterRegistrations.Registration]) {
    for registration in registrations {
      switch registration {
      case .add(let observation): observers.add(observation)
      case .remove(let id): observers.remove(id)
      case .addRegion(let observer):
        regionObservers.append(observer)
        observed.isOutdated = true
      case .removeRegion(let observer):
        regionObservers.removeAll { $0 === observer }
        observed.isOutdated = true
      }
    }
  }

  /// Adds an observer of the running transaction and of later ones.
  func add(_ observation: TransactionObservation) {
    // The raw handle may have ended a transaction without a change, which no hook reports.
    if sqlite3_get_autocommit(database.sqliteConnection) != 0 { observers.beginTransaction() }
    observers.add(observation)
    rows.forget()
    // The earlier changes of the running transaction are unknown, and count as everything.
    if observation.wantsEvents, !hook.isInstalled { install() }
  }

  func remove(_ id: ObjectIdentifier) { observers.remove(id) }
}

/// Commits to a file that was moved, removed or replaced.
extension ChangeTracker {
  func movedFileError(_ code: ResultCode) -> DatabaseError? {
    switch code {
    case .SQLITE_READONLY_DBMOVED: fileGuard?.refusal
    // SQLite looks at the file before it creates a rollback journal.
    case .SQLITE_IOERR_FSTAT: fileGuard?.check() == false ? fileGuard?.refusal : nil
    default: nil
    }
  }

  /// Whether a commit may begin.
  var mayCommitToFile: Bool {
    guard let fileGuard, !fileGuard.mayCommit() else { return true }
    // Inside the commit hook, the journal mode cannot be read: the check after the commit reads it.
    return database.authorizer.sawForeignHeaderChange && fileGuard.isMissingLog
  }

  func checkCommit() -> DatabaseError? {
    commitState.wasLost = !isFileInPlace
    return commitState.wasLost ? fileGuard?.commitError ?? fileGuard?.refusal : nil
  }

  private var isFileInPlace: Bool {
    guard let fileGuard, !fileGuard.check() else { return true }
    guard database.authorizer.sawForeignHeaderChange, fileGuard.isMissingLog else { return false }
    // The raw handle may have changed the journal mode, and SQLite has removed the WAL then.
    fileGuard.forgetLog()
    if (try? database.mainJournalMode()) == "wal" { fileGuard.noteLog() }
    return fileGuard.check()
  }

  /// Stops guarding the file before the connection is closed.
  ///
  /// When the file was moved, SQLite leaves its WAL at the path, and would apply the WAL to a file
  /// that has come there since. So the WAL is emptied.
  func leaveFile() {
    guard let fileGuard else { return }
    OpenDatabases.remove(fileGuard)
    guard fileGuard.isDatabaseAway else { return }
    database.checkpointing.run { database.emptyWAL() }
  }
}
