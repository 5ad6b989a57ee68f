internal import CWellspringSQLite
internal import WellspringSystem

/// The observers of one connection's transactions, and the events that are still to be delivered to
/// them.
///
/// Only the access that holds the connection uses it.
final class ObserverList {
  /// A change of a row, with the observations that get it.
  private struct Entry {
    /// `nil` for changes that have no event for each row.
    let event: DatabaseEvent?
    let observations: [TransactionObservation]
    /// The statement that makes the change, or that runs while the raw handle makes it; `nil` after
    /// its end, and for the raw handle outside statements.
    var statement: ObjectIdentifier?
  }

  /// The changes that one statement makes to one table.
  private struct Interest: Hashable {
    let statement: ObjectIdentifier?
    let operation: Int32
    let schema: UnsafePointer<CChar>
    let table: UnsafePointer<CChar>
  }

  /// The interested observations, and the table behind the hook's addresses.
  private struct Interested {
    /// Kept alive, so that no other statement can have its address.
    let statement: Statement?
    let observations: [TransactionObservation]
    let schema: String
    let table: String
    let hasRowIDs: Bool
  }

  private(set) var observations: [TransactionObservation] = []
  private var entries: [Entry] = []
  /// How many of the first entries come from statements that have ended.
  private var settledCount = 0
  /// The index of the first entry of each statement that has not ended.
  private var firstEntries: [ObjectIdentifier: Int] = [:]
  /// The savepoints, each with the number of entries at its beginning.
  private var savepoints = SavepointStack<Int>()
  private var interests: [Interest: Interested] = [:]
  /// The error by which an observer has refused the commit.
  private var veto: (any Error)?
  private var mustDeliverRollback = false
  /// Whether the observers are still to be notified of the commit of a transaction that has changed
  /// nothing.
  private var mustDeliverEmptyCommit = false
  /// Whether events or a rollback are to be delivered when the statement is reset.
  private(set) var hasUndelivered = false

  /// The observation whose observer is getting an event on the current thread.
  static var current: TransactionObservation? {
    currentPointer.value.map {
      Unmanaged<TransactionObservation>.fromOpaque($0).takeUnretainedValue()
    }
  }
  private static let currentPointer = ThreadLocalPointer()

  // MARK: Observers

  var isEmpty: Bool { observations.isEmpty }

  /// Whether an observation wants events of single rows.
  private(set) var wantsEvents = false

  func add(_ observation: TransactionObservation) {
    // A released observer may have had the same address.
    prune()
    guard !observations.contains(where: { $0.id == observation.id }) else { return }
    observations.append(observation)
    if observation.wantsEvents { wantsEvents = true }
    interests = [:]
  }

  func remove(_ id: ObjectIdentifier) { removeAll { $0.id == id } }

  /// Drops observations whose lifetime has ended.
  func prune() {
    guard !observations.isEmpty else { return }
    removeAll { $0.observer == nil }
  }

  private func removeAll(where condition: (TransactionObservation) -> Bool) {
    guard observations.contains(where: condition) else { return }
    observations.removeAll(where: condition)
    wantsEvents = observations.contains(where: \.wantsEvents)
    interests = [:]
  }

  // MARK: Rows

  /// Notes that a row is about to change, inside the preupdate hook.
  func note(
    _ db: Database,
    _ row: PreupdateRow,
    _ schema: UnsafePointer<CChar>,
    _ table: UnsafePointer<CChar>
  ) {
    // An incremental blob write is reported as a deletion.
    let isBlobWrite = row.isDeleted && row.writtenBlob != nil
    let operation = isBlobWrite ? SQLITE_UPDATE : row.operation
    let interested = interested(db, operation, schema, table)
    guard interested.observations.contains(where: { !$0.isStopped }) else { return }
    let kind: DatabaseEvent.Kind =
      switch operation {
      case SQLITE_INSERT: .insert
      case SQLITE_DELETE: .delete
      default: .update
      }
    let rowID = kind == .delete || isBlobWrite ? row.oldRowID : row.newRowID
    let event = DatabaseEvent(
      kind: kind,
      databaseName: interested.schema,
      tableName: interested.table,
      rowID: interested.hasRowIDs ? rowID : nil,
      previousRowID: interested.hasRowIDs && kind == .update && rowID != row.oldRowID
        ? row.oldRowID : nil
    )
    let preUpdate = DatabasePreUpdateEvent(row: row, event: event)
    for observation in interested.observations where !observation.isStopped {
      observation.observer?.databaseWillChange(with: preUpdate)
    }
    note(db, event, interested.observations)
  }

  private func interested(
    _ db: Database,
    _ operation: Int32,
    _ schema: UnsafePointer<CChar>,
    _ table: UnsafePointer<CChar>
  ) -> Interested {
    let statement = db.runningStatement
    let interest = Interest(
      statement: statement.map(ObjectIdentifier.init),
      operation: operation,
      schema: schema,
      table: table
    )
    if let known = interests[interest] { return known }
    let schemaName = String(cString: schema)
    let tableName = String(cString: table)
    let updatedColumns = statement?.effects.updates[
      TableName(schema: schemaName, name: tableName)
    ]
    let kinds: [DatabaseEventKind] =
      switch operation {
      case SQLITE_INSERT: [.insert(tableName: tableName)]
      case SQLITE_DELETE: [.delete(tableName: tableName)]
      default: Self.updateKinds(of: tableName, updatedColumns)
      }
    let known = Interested(
      statement: statement,
      observations: observations(ofKinds: kinds),
      schema: schemaName,
      table: tableName,
      hasRowIDs: Self.hasRowIDs(db, schema, table)
    )
    interests[interest] = known
    return known
  }

  /// Whether the rows of a table have row ids.
  private static func hasRowIDs(
    _ db: Database,
    _ schema: UnsafePointer<CChar>,
    _ table: UnsafePointer<CChar>
  ) -> Bool {
    let connection = db.sqliteConnection
    // In a table without row ids, columns may have some of these names.
    return RowIDName.all.allSatisfy { name in
      sqlite3_table_column_metadata(connection, schema, table, name, nil, nil, nil, nil, nil)
        == SQLITE_OK
    }
  }

  /// Returns the kinds of an update. The columns that the raw handle updates are not known: then
  /// the event goes to every observation that is interested in the table.
  private static func updateKinds(
    of table: String,
    _ columns: Set<String>?
  ) -> [DatabaseEventKind] {
    if let columns { return [.update(tableName: table, columnNames: columns)] }
    return [
      .update(tableName: table, columnNames: []), .insert(tableName: table),
      .delete(tableName: table),
    ]
  }

  private func observations(ofKinds kinds: [DatabaseEventKind]) -> [TransactionObservation] {
    observations.filter { observation in
      guard observation.wantsEvents, let observer = observation.observer else { return false }
      return kinds.contains(where: observer.observes(eventsOfKind:))
    }
  }

  /// Notes that rows of tables may have changed, without an event for each.
  ///
  /// - Parameters:
  ///   - db: The connection.
  ///   - kinds: The kinds of the possible changes; `nil` for any kind.
  ///   - statement: The statement that makes them, if it does not run yet.
  func note(
    _ db: Database,
    changesOfKinds kinds: [DatabaseEventKind]?,
    by statement: Statement? = nil
  ) {
    let interested = kinds.map(observations(ofKinds:)) ?? observations.filter(\.wantsEvents)
    guard !interested.isEmpty else { return }
    note(db, nil, interested, by: statement)
  }

  private func note(
    _ db: Database,
    _ event: DatabaseEvent?,
    _ observations: [TransactionObservation],
    by statement: Statement? = nil
  ) {
    let writer = (statement ?? db.runningStatements.lastWriter).map(ObjectIdentifier.init)
    if let writer, writer != entries.last?.statement, firstEntries[writer] == nil {
      firstEntries[writer] = entries.count
    }
    entries.append(Entry(event: event, observations: observations, statement: writer))
    awaitReset(db)
  }

  /// Drops the interests of the observations: tables may have other names from here on.
  func forgetInterests() {
    if !interests.isEmpty { interests = [:] }
  }

  // MARK: Statements and savepoints

  /// Requests a call of ``statementDidReset(_:_:)`` after the running statement.
  func awaitReset(_ db: Database) {
    hasUndelivered = true
    db.hooksAwaitReset = true
  }

  /// A statement has failed, and SQLite has undone its changes.
  ///
  /// SQLite does not say whether it has also undone statements that functions have run inside it:
  /// the events of these statements stay.
  func statementWasUndone(_ statement: Statement) {
    let statement = ObjectIdentifier(statement)
    guard let first = firstEntries.removeValue(forKey: statement) else { return }
    let rest = entries[first...].filter { $0.statement != statement }
    entries.replaceSubrange(first..., with: rest)
    firstEntries = [:]
    for (index, entry) in entries.enumerated().dropFirst(settledCount) {
      if let writer = entry.statement, firstEntries[writer] == nil { firstEntries[writer] = index }
    }
  }

  /// A statement has been reset: its changes stand.
  ///
  /// - Parameters:
  ///   - db: The connection.
  ///   - statement: The statement; `nil` at the end of an access, when no statement runs.
  func statementDidReset(_ db: Database, _ statement: Statement?) {
    hasUndelivered = false
    if let statement = statement.map(ObjectIdentifier.init) {
      if let first = firstEntries.removeValue(forKey: statement) {
        for index in first..<entries.count where entries[index].statement == statement {
          entries[index].statement = nil
        }
      }
      while settledCount < entries.count, entries[settledCount].statement == nil {
        settledCount += 1
      }
    } else {
      firstEntries = [:]
      settledCount = entries.count
    }
    // Another statement is reset later.
    if settledCount < entries.count { awaitReset(db) }
    if savepoints.isEmpty { deliverEvents(settledCount) }
  }

  /// Begins a savepoint, although there may be no observer yet: one may be added inside it.
  func beginSavepoint(_ name: String) { savepoints.begin(name, entries.count) }

  /// A transaction begins: the savepoints of the one before have ended with it.
  func beginTransaction() { savepoints.removeAll() }

  func releaseSavepoint(_ name: String) {
    guard savepoints.release(name) else { return }
    if savepoints.isEmpty { deliverEvents(settledCount) }
  }

  func rollBack(toSavepoint name: String) {
    guard let count = savepoints.rollBack(to: name) else { return }
    entries.removeSubrange(min(count, entries.count)...)
    settledCount = min(settledCount, entries.count)
    firstEntries = firstEntries.filter { $0.value < entries.count }
  }

  /// Delivers the first events.
  private func deliverEvents(_ count: Int) {
    guard count > 0 else { return }
    let delivered = entries.prefix(count)
    entries.removeFirst(count)
    settledCount -= min(count, settledCount)
    if !firstEntries.isEmpty {
      firstEntries = firstEntries.compactMapValues { $0 < count ? nil : $0 - count }
    }
    let outer = Self.currentPointer.value
    defer { Self.currentPointer.value = outer }
    for entry in delivered {
      for observation in entry.observations where !observation.isStopped {
        guard let observer = observation.observer else { continue }
        Self.currentPointer.value = Unmanaged.passUnretained(observation).toOpaque()
        if let event = entry.event {
          observer.databaseDidChange(with: event)
        } else {
          observer.databaseDidChange()
        }
      }
    }
  }

  // MARK: Ends of transactions

  /// Asks the observers, inside the commit hook, whether the transaction may be committed.
  ///
  /// - Returns: Whether all of them agree.
  func mayCommit() -> Bool {
    savepoints.removeAll()
    deliverEvents(entries.count)
    do {
      for observation in observations { try observation.observer?.databaseWillCommit() }
      return true
    } catch {
      veto = error
      return false
    }
  }

  /// Takes the error by which an observer has just refused a commit.
  func takeVeto() -> (any Error)? {
    defer { veto = nil }
    return veto
  }

  /// A transaction has ended that SQLite calls no hook for, because it has changed nothing.
  ///
  /// - Throws: The error by which an observer refuses the commit.
  func didCommitNothing(_ db: Database) throws {
    awaitReset(db)
    if mayCommit() {
      mustDeliverEmptyCommit = true
    } else {
      mustDeliverRollback = true
      if let veto = takeVeto() { throw veto }
    }
  }

  func didCommit(_ db: Database) {
    for observer in endTransaction() { observer.databaseDidCommit(db) }
  }

  /// SQLite has rolled back, in the middle of a statement: the observers are notified after the
  /// statement, unless nothing but the statement itself was undone.
  func didRollBack(_ db: Database, isStatement: Bool) {
    entries = []
    settledCount = 0
    firstEntries = [:]
    savepoints.removeAll()
    guard !observations.isEmpty, !isStatement else { return }
    mustDeliverRollback = true
    awaitReset(db)
  }

  /// Notifies the observers of an end of the transaction that is still to be delivered.
  func deliverEnd(_ db: Database) {
    if mustDeliverEmptyCommit {
      mustDeliverEmptyCommit = false
      didCommit(db)
    }
    guard mustDeliverRollback else { return }
    mustDeliverRollback = false
    for observer in endTransaction() { observer.databaseDidRollback(db) }
  }

  /// Ends the transaction, and the observations of one transaction.
  ///
  /// - Returns: The observers to notify of the end.
  private func endTransaction() -> [any TransactionObserver] {
    forgetInterests()
    for observation in observations { observation.isStopped = false }
    let observers = observations.compactMap(\.observer)
    removeAll { $0.extent == .nextTransaction || $0.observer == nil }
    return observers
  }
}
