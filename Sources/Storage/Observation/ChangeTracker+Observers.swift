internal import CWellspringSQLite
internal import WellspringPlatform

extension ChangeTracker {
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

  /// Adds an observer of the running transaction and of those to come.
  func add(_ observation: TransactionObservation) {
    observers.add(observation)
    rows.forget()
    // What the running transaction has changed before is not known: it counts as everything.
    if observation.wantsEvents, !isInstalled { install() }
  }

  func remove(_ id: ObjectIdentifier) { observers.remove(id) }

  /// Announces a commit that has ended.
  func announce(_ changes: CommittedChanges, isRollingBack: Bool = false) {
    let number = externalCommits.commitDidEnd(changes, database, isRollingBack: isRollingBack)
    tell(of: changes, number: number)
  }

  /// A commit that the observers have still to be told.
  struct UntoldCommit {
    let number: UInt64
    let changes: CommittedChanges
    /// Whether the observers of transactions have been asked for it.
    let isTransaction: Bool
  }

  /// Keeps a commit to be told to the observers.
  func tell(of changes: CommittedChanges, number: UInt64, isTransaction: Bool = true) {
    if observers.isEmpty, regionObservers.isEmpty { return }
    untoldCommits.append(
      UntoldCommit(number: number, changes: changes, isTransaction: isTransaction)
    )
  }

  /// Tells the observers of the commits, in their order, when the connection can be used again.
  func tellCommits() {
    // An observer may write, which commits again.
    guard !untoldCommits.isEmpty, !isTelling else { return }
    isTelling = true
    defer { isTelling = false }
    while !untoldCommits.isEmpty {
      let commit = untoldCommits.removeFirst()
      for observer in regionObservers {
        observer.resolve(database)
        // While a changed schema has not been learned, a region may have tables that were not looked at.
        let changes = mustLearnColumns ? commit.changes.touched : commit.changes.observed
        observer.tell(database, number: commit.number, changes)
      }
      if commit.isTransaction { observers.didCommit(database) }
    }
  }

  /// Notes that a region has changed, or may have. Outside of a write transaction that is announced
  /// at once.
  func notifyChanges(in region: DatabaseRegion) throws {
    let kinds = observers.isEmpty ? nil : try region.eventKinds(database)
    observers.note(database, changesOfKinds: kinds)
    if sqlite3_txn_state(database.sqliteConnection, nil) == SQLITE_TXN_WRITE {
      transaction.add(region.asChanges)
      return
    }
    if database.hasObserverNews { statementDidEnd(undone: false) }
    let changes = CommittedChanges(
      observed: region.asChanges,
      others: region.asChanges,
      growth: commits.observationGrowth
    )
    tell(of: changes, number: commits.announce(changes))
    tellCommits()
  }
}
