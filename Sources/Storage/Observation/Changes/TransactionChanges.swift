internal import CWellspringSQLite

/// Collects what the running transaction has changed, from the events of the preupdate hook.
///
/// No more is found out than the live observations can use: once a table has changed for all of them,
/// its further rows are not looked at.
struct TransactionChanges {
  /// The state at an open savepoint.
  private struct Savepoint {
    let name: String
    let tables: [TableChanges]
    let touchedTables: [Int]
    let isEverything: Bool
    let others: DatabaseChanges
  }

  /// Tables beyond this many are not kept for the next transaction.
  private static let maximumKeptTables = 64

  private var totalChanges: Int64
  private let isTracked: Bool
  private let observedTables: ObservedTables
  private let storedColumns: [TableName: StoredColumns]
  /// The tables of this transaction, and of those before it.
  private var tables: [TableChanges] = []
  /// The places of those that this transaction has written.
  private var touchedTables: [Int] = []
  /// The table that was written last, and what the hook calls it: the same addresses come for each row
  /// of a statement.
  private var current: (index: Int, schema: UnsafePointer<CChar>, table: UnsafePointer<CChar>)?
  private var rowEvents: Int64 = 0
  private var isEverything = false
  /// What has changed without an event for each row.
  private var others = DatabaseChanges.none
  private var savepoints: [Savepoint] = []

  /// - Parameters:
  ///   - totalChanges: SQLite's count of all changes of the connection, at this moment.
  ///   - isTracked: Whether the hook is installed.
  ///   - observedTables: What somebody wants to know.
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

  /// Begins another transaction of which the same is wanted.
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
    if !others.isEmpty { others = .none }
    if !savepoints.isEmpty { savepoints = [] }
  }

  /// Whether rows have changed that the hook did not tell of.
  func missedRows(totalChanges now: Int64) -> Bool {
    !isTracked || now - totalChanges > rowEvents
  }

  /// Something has changed that no row event tells of.
  mutating func setEverything() { isEverything = true }

  /// Something has changed, or may have, that no row event tells of.
  mutating func add(_ changes: DatabaseChanges) { others.formUnion(changes) }

  /// A table has changed in some row.
  mutating func addAll(of table: TableName) {
    if case .tables(let known) = others, known[table]?.isAll == true { return }
    others.formUnion(.tables([table: .all]))
  }

  /// Rows have changed of which nothing more is to be found out.
  mutating func excuse(rows: Int64) { rowEvents += rows }

  /// What the transaction has changed, for what was observed when it had grown that often.
  mutating func finish(growth: UInt64) -> CommittedChanges {
    guard !isEverything else { return .everything }
    var observed: [TableName: DatabaseChanges.Table] = [:]
    for index in touchedTables {
      if let changes = tables[index].finish() { observed[tables[index].name] = changes }
    }
    return CommittedChanges(
      observed: others.union(.tables(observed)),
      writtenTables: touchedTables.map { tables[$0].name },
      others: others,
      growth: growth
    )
  }

  /// The hook's addresses may be those of other names from here on.
  mutating func forgetAddresses() { current = nil }

  // MARK: Savepoints

  // A rollback to a savepoint calls no hook.

  mutating func beginSavepoint(_ name: String) {
    savepoints.append(
      Savepoint(
        name: name,
        tables: tables,
        touchedTables: touchedTables,
        isEverything: isEverything,
        others: others
      )
    )
  }

  mutating func releaseSavepoint(_ name: String) {
    guard let index = savepoints.lastIndex(where: { $0.name == name }) else { return }
    savepoints.removeSubrange(index...)
  }

  mutating func rollBack(toSavepoint name: String) {
    guard let index = savepoints.lastIndex(where: { $0.name == name }) else { return }
    tables = savepoints[index].tables
    touchedTables = savepoints[index].touchedTables
    isEverything = savepoints[index].isEverything
    others = savepoints[index].others
    current = nil
    savepoints.removeSubrange((index + 1)...)
  }

  // MARK: Rows

  /// Notes that a row is about to change, inside of the preupdate hook.
  ///
  /// - Returns: What can be said of the further rows of the table.
  mutating func note(
    _ connection: OpaquePointer,
    _ operation: Int32,
    _ schema: UnsafePointer<CChar>,
    _ table: UnsafePointer<CChar>,
    _ oldRowID: Int64,
    _ newRowID: Int64
  ) -> TableChanges.Settlement {
    rowEvents += 1
    let index = index(of: schema, table)
    if tables[index].settlement == .all { return .all }
    tables[index].note(connection, operation, oldRowID, newRowID)
    return tables[index].settlement
  }

  private mutating func index(
    of schema: UnsafePointer<CChar>,
    _ table: UnsafePointer<CChar>
  ) -> Int {
    if let current, current.schema == schema, current.table == table { return current.index }
    // An address may have been used for another name before, so names are what counts.
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
