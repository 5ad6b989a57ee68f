internal import CWellspringSQLite
internal import WellspringSystem

/// Collects the changes of the running transaction from the events of the preupdate hook.
///
/// It finds out no more than the live observations can use: once a table has changed for all of
/// them, its further rows are not examined.
struct TransactionChanges {
  /// The state at an open savepoint.
  private struct Savepoint {
    let tables: [TableChanges]
    let touchedTables: [Int]
    let isEverything: Bool
    let unreported: DatabaseChanges
  }

  /// With more tables than this, none is kept for the next transaction.
  private static let maximumKeptTables = 64

  private var totalChanges: Int64
  private let isTracked: Bool
  private let observedTables: ObservedTables
  private let storedColumns: [TableName: StoredColumns]
  /// The tables of this transaction and of earlier ones.
  private var tables: [TableChanges] = []
  /// The indexes of the tables that this transaction has written.
  private var touchedTables: [Int] = []
  /// The table that was written last, and the addresses of its names, which stay the same for all
  /// rows of a statement.
  private var current: (index: Int, schema: UnsafePointer<CChar>, table: UnsafePointer<CChar>)?
  private var rowEvents: Int64 = 0
  private var isEverything = false
  /// The changes without an event for each row.
  private var unreported = DatabaseChanges.none
  private var savepoints = SavepointStack<Savepoint>()
  /// The changes of the last transaction, if none of its tables was examined. Most transactions
  /// write the tables of the last one, and hashing names takes longer than comparing them.
  private var unexaminedChanges: CommittedChanges?

  /// - Parameters:
  ///   - totalChanges: SQLite's present count of all changes of the connection.
  ///   - isTracked: Whether the hook is installed.
  ///   - observedTables: The observed tables.
  ///   - storedColumns: The columns of all observed tables that exist.
  init(
    totalChanges: Int64,
    isTracked: Bool,
    observedTables: ObservedTables,
    storedColumns: [TableName: StoredColumns]
  ) {
    self.totalChanges = totalChanges
    self.isTracked = isTracked
    self.observedTables = observedTables
    self.storedColumns = storedColumns
  }

  /// Begins another transaction under the same observations.
  mutating func begin(totalChanges: Int64) {
    self.totalChanges = totalChanges
    rowEvents = 0
    current = nil
    if tables.count > Self.maximumKeptTables { tables = [] }
    if !touchedTables.isEmpty {
      for index in touchedTables where index < tables.count { tables[index].removeAll() }
      touchedTables.removeAll(keepingCapacity: true)
    }
    isEverything = false
    if !unreported.isEmpty { unreported = .none }
    savepoints.removeAll()
  }

  /// Whether rows have changed without an event of the hook.
  ///
  /// A row of a virtual table has none, but its module changes rows of shadow tables, at least one
  /// for each: FTS3, or FTS4 in an empty table, changes so few that SQLite counts more changes than
  /// there are events.
  ///
  /// - Parameters:
  ///   - now: SQLite's present count of all changes of the connection.
  ///   - isShadow: Returns whether a virtual table keeps its data in a table.
  /// - Returns: Whether one may be a row of an ordinary table.
  func missedRows(totalChanges now: Int64, isShadow: (TableName) -> Bool = { _ in false }) -> Bool {
    guard isTracked else { return true }
    let missed = now - totalChanges - rowEvents
    guard missed > 0 else { return false }
    return missed > rowEvents || !touchedTables.contains { isShadow(tables[$0].name) }
  }

  /// Notes that anything may have changed without a row event.
  mutating func setEverything() { isEverything = true }

  /// Adds changes, or possible changes, that have no row events.
  mutating func add(_ changes: DatabaseChanges) { unreported.formUnion(changes) }

  /// Notes that any row of a table may have changed.
  mutating func addAll(of table: TableName) {
    if case .tables(let known) = unreported, known[table]?.isAll == true { return }
    unreported.formUnion(.tables([table: .all]))
  }

  /// Counts rows that were not passed to ``note(_:_:_:_:_:_:)``, but whose changes are known.
  mutating func countKnownRows(_ count: Int64) { rowEvents += count }

  /// Returns the changes of the transaction.
  ///
  /// - Parameter growth: The growth of the observed tables when the transaction began.
  /// - Returns: The changes.
  mutating func finish(growth: ObservationGeneration) -> CommittedChanges {
    guard !isEverything else { return .everything }
    let isUnexamined = unreported.isEmpty && !touchedTables.contains { tables[$0].isExamined }
    if isUnexamined, let last = unexaminedChanges, last.growth == growth,
      last.writtenTables.elementsEqual(touchedTables, by: { $0 == tables[$1].name })
    {
      return last
    }
    var observed: [TableName: DatabaseChanges.Table] = [:]
    for index in touchedTables {
      if let changes = tables[index].finish() { observed[tables[index].name] = changes }
    }
    let changes = CommittedChanges(
      observed: unreported.union(.tables(observed)),
      writtenTables: touchedTables.map { tables[$0].name },
      unreported: unreported,
      growth: growth
    )
    unexaminedChanges = isUnexamined ? changes : nil
    return changes
  }

  /// Drops the addresses of names: from here on, they may be the addresses of other names.
  mutating func forgetAddresses() { current = nil }

  // MARK: Savepoints

  // A rollback to a savepoint calls no hook.

  mutating func beginSavepoint(_ name: String) {
    savepoints.begin(
      name,
      Savepoint(
        tables: tables,
        touchedTables: touchedTables,
        isEverything: isEverything,
        unreported: unreported
      )
    )
  }

  mutating func releaseSavepoint(_ name: String) {
    savepoints.release(name)
  }

  mutating func rollBack(toSavepoint name: String) {
    if Fault.isOn(.savepointIgnored) { return }
    #if WELLSPRING_FAULTS
      if Fault.isOn(.savepointOuter) {
        guard let outermost = savepoints.outermostState(around: name) else { return }
        tables = outermost.tables
        touchedTables = outermost.touchedTables
        return
      }
    #endif
    guard let savepoint = savepoints.rollBack(to: name) else { return }
    tables = savepoint.tables
    touchedTables = savepoint.touchedTables
    isEverything = savepoint.isEverything
    unreported = savepoint.unreported
    current = nil
  }

  // MARK: Rows

  /// Notes that a row is about to change, inside the preupdate hook.
  ///
  /// - Returns: Which further rows of the table need not be examined.
  mutating func note(
    _ row: PreupdateRow,
    _ schema: UnsafePointer<CChar>,
    _ table: UnsafePointer<CChar>
  ) -> TableChanges.Settlement {
    rowEvents += 1
    let index = index(of: schema, table)
    if tables[index].settlement == .all { return .all }
    tables[index].note(row)
    return tables[index].settlement
  }

  private mutating func index(
    of schema: UnsafePointer<CChar>,
    _ table: UnsafePointer<CChar>
  ) -> Int {
    if let current, current.schema == schema, current.table == table { return current.index }
    // The address may have stood for another name before, so the names are compared.
    let known = tables.firstIndex { $0.isNamed(schema, table) }
    let index = known ?? tables.count
    if known == nil {
      tables.append(
        TableChanges(
          schema: schema,
          table: table,
          observedTables: observedTables,
          storedColumns: storedColumns
        )
      )
    }
    if !touchedTables.contains(index) { touchedTables.append(index) }
    current = (index, schema, table)
    return index
  }
}
