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
