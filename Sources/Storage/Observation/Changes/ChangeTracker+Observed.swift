internal import CWellspringSQLite

/// What is observed on the connection: the tables, and the observers of its transactions.
extension ChangeTracker {
  // MARK: Tables

  /// Reads what is observed, and the columns of the observed tables, if it has changed since the
  /// last call.
  func learnObservedTables() {
    let current = fileCommits.observedTables(after: generation)
    if let current { (generation, growth, sharedTables) = current }
    guard current != nil || mustLearnColumns else { return }
    mustLearnColumns = false
    mustRebuildTransaction = true
    observedTables = sharedTables
    for observer in regionObservers {
      observer.resolve(database)
      if let region = observer.region { observedTables.formUnion(region.observedTables) }
    }
    observedSequences = learnSequences()
    for table in observedTables.names where storedColumns[table] == nil {
      // A table whose columns cannot be read counts as changed in all of its rows.
      storedColumns[table] = try? StoredColumns(of: table, database)
    }
  }

  /// Returns the sequence tables of `AUTOINCREMENT` that are observed.
  private func learnSequences() -> [TableName] {
    guard observedTables.includesFullDatabase else {
      return observedTables.names.filter { $0.name == RegionAnalysis.sequenceTable }
    }
    let schemas = ["main"] + database.attached.names
    return schemas.map { TableName(schema: $0, name: RegionAnalysis.sequenceTable) }.filter {
      (try? StoredColumns(of: $0, database))?.names.isEmpty != true
    }
  }

  /// Forgets the schema, which may have changed: the next access reads it again.
  func forgetSchema() {
    storedColumns = [:]
    mustLearnColumns = true
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
        mustLearnColumns = true
      case .removeRegion(let observer):
        regionObservers.removeAll { $0 === observer }
        mustLearnColumns = true
      }
    }
  }

  /// Adds an observer of the running transaction and of later ones.
  func add(_ observation: TransactionObservation) {
    observers.add(observation)
    rows.forget()
    // The earlier changes of the running transaction are unknown, and count as everything.
    if observation.wantsEvents, !isInstalled { install() }
  }

  func remove(_ id: ObjectIdentifier) { observers.remove(id) }
}

/// Commits to a file that was moved, removed or replaced.
extension ChangeTracker {
  func movedFileError(_ code: ResultCode) -> DatabaseError? {
    switch code {
    case .SQLITE_READONLY_DBMOVED: place?.refusal
    // SQLite looks at the file before it creates a rollback journal.
    case .SQLITE_IOERR_FSTAT: place?.check() == false ? place?.refusal : nil
    default: nil
    }
  }

  /// Whether a commit may begin.
  var mayCommitToFile: Bool {
    guard let place, !place.mayCommit() else { return true }
    // Inside the commit hook, the journal mode cannot be read: the check after the commit reads it.
    return database.authorizer.sawForeignHeaderChange && place.isMissingLog
  }

  func checkCommit() -> DatabaseError? {
    wasCommitLost = !isFileInPlace
    return wasCommitLost ? place?.commitError ?? place?.refusal : nil
  }

  private var isFileInPlace: Bool {
    guard let place, !place.check() else { return true }
    guard database.authorizer.sawForeignHeaderChange, place.isMissingLog else { return false }
    // The raw handle may have changed the journal mode, and SQLite has removed the WAL then.
    place.forgetLog()
    if (try? database.mainJournalMode()) == "wal" { place.noteLog() }
    return place.check()
  }

  /// Gives the place up before the connection is closed.
  ///
  /// When the file was moved, SQLite leaves its WAL at the path, and would apply the WAL to a file
  /// that has come there since. So the WAL is emptied.
  func leavePlace() {
    guard let place else { return }
    OpenDatabases.remove(place)
    guard place.isDatabaseAway else { return }
    database.checkpointing.run { database.emptyWAL() }
  }
}
