internal import CWellspringSQLite

/// Collects what the running transaction has changed, from the events of the preupdate hook.
///
/// No more is found out than the live observations can use: once a table has changed for all of them,
/// its further rows are not looked at.
struct TransactionChanges {
  /// The changes of one table, and what there is to find out about it.
  private struct Table {
    let name: TableName
    /// What the hook calls the table: the same addresses come for each row of a statement.
    var schemaAddress: UnsafePointer<CChar>
    var nameAddress: UnsafePointer<CChar>
    /// The table's columns, or `nil` when nobody observes it.
    let storedColumns: StoredColumns?
    /// The columns that somebody observes.
    let observed: ColumnSet
    /// The observed columns that have changed.
    var changed = ColumnSet()
    /// Whether rows came or went.
    var hasOtherRows = false
    /// The rows that changed, while somebody observes single rows and they are not too many.
    var rowIDs: Set<Int64>?

    /// Whether nothing more can be found out that matters.
    var isSaturated: Bool { rowIDs == nil && hasOtherRows }
  }

  /// Row ids beyond this many are not worth their memory: the table counts as changed in all rows.
  private static let maximumRowIDs = 1000

  private let totalChanges: Int64
  private let isTracked: Bool
  private let observedTables: [TableName: ObservedTable]
  private let storedColumns: [TableName: StoredColumns]
  private var tables: [Table] = []
  private var lastIndex = 0
  private var rowEvents: Int64 = 0
  private var isEverything = false
  /// What has changed without an event for each row.
  private var others = DatabaseChanges.none
  /// The state at each open savepoint.
  private var savepoints:
    [(name: String, tables: [Table], isEverything: Bool, others: DatabaseChanges)] = []

  /// - Parameters:
  ///   - totalChanges: SQLite's count of all changes of the connection, at this moment.
  ///   - isTracked: Whether the hook is installed.
  ///   - observedTables: What somebody wants to know.
  ///   - storedColumns: The columns of all observed tables that exist.
  init(
    totalChanges: Int64,
    isTracked: Bool,
    observedTables: [TableName: ObservedTable],
    storedColumns: [TableName: StoredColumns]
  ) {
    self.totalChanges = totalChanges
    self.isTracked = isTracked
    self.observedTables = observedTables
    self.storedColumns = storedColumns
  }

  /// Whether rows have changed that the hook did not tell of.
  func missedRows(totalChanges now: Int64) -> Bool {
    !isTracked || now - totalChanges > rowEvents
  }

  /// Something has changed that no row event tells of.
  mutating func setEverything() { isEverything = true }

  /// Something has changed, or may have, that no row event tells of.
  mutating func add(_ changes: DatabaseChanges) { others.formUnion(changes) }

  /// Rows have changed, and it is known that the hook did not tell of them.
  mutating func excuse(rows: Int64) { rowEvents += rows }

  /// All tables that rows of have changed, or may have.
  var touched: DatabaseChanges {
    if isEverything { return .everything }
    return others.union(
      .tables(Dictionary(uniqueKeysWithValues: tables.map { ($0.name, .all) }))
    )
  }

  /// What has changed of the columns and rows that were observed when the transaction began.
  var observed: DatabaseChanges {
    if isEverything { return .everything }
    var result: [TableName: DatabaseChanges.Table] = [:]
    for table in tables {
      guard let storedColumns = table.storedColumns else {
        result[table.name] = .all
        continue
      }
      guard table.hasOtherRows || !table.changed.isEmpty else { continue }
      // A table all of whose columns are observed has changed in all that matter.
      let columns = table.hasOtherRows ? nil : storedColumns.names(in: table.changed)
      result[table.name] = DatabaseChanges.Table(columns: columns, rowIDs: table.rowIDs)
    }
    return others.union(.tables(result))
  }

  // MARK: Savepoints

  // A rollback to a savepoint calls no hook.

  mutating func beginSavepoint(_ name: String) {
    savepoints.append((name, tables, isEverything, others))
  }

  mutating func releaseSavepoint(_ name: String) {
    guard let index = savepoints.lastIndex(where: { $0.name == name }) else { return }
    savepoints.removeSubrange(index...)
  }

  mutating func rollBack(toSavepoint name: String) {
    guard let index = savepoints.lastIndex(where: { $0.name == name }) else { return }
    tables = savepoints[index].tables
    isEverything = savepoints[index].isEverything
    others = savepoints[index].others
    lastIndex = 0
    savepoints.removeSubrange((index + 1)...)
  }

  // MARK: Rows

  /// Notes that a row is about to change, inside of the preupdate hook.
  mutating func note(
    _ connection: OpaquePointer,
    _ operation: Int32,
    _ schema: UnsafePointer<CChar>,
    _ name: UnsafePointer<CChar>,
    _ oldRowID: Int64,
    _ newRowID: Int64
  ) {
    rowEvents += 1
    let index = index(of: schema, name)
    if tables[index].isSaturated { return }
    if operation == SQLITE_UPDATE, oldRowID == newRowID {
      noteUpdate(connection, of: index, rowID: oldRowID)
    } else {
      // An incremental blob write is reported as a deletion. An update of a row id takes the row
      // away in one place, and adds it in another.
      tables[index].hasOtherRows = true
      if operation != SQLITE_INSERT { noteRow(oldRowID, of: index) }
      if operation != SQLITE_DELETE { noteRow(newRowID, of: index) }
    }
  }

  private mutating func noteUpdate(_ connection: OpaquePointer, of index: Int, rowID: Int64) {
    guard let columns = tables[index].storedColumns else { return }
    // Where single rows count, each row is compared; otherwise only what has not changed yet.
    let wanted =
      tables[index].rowIDs == nil
      ? tables[index].observed.subtracting(tables[index].changed) : tables[index].observed
    guard !wanted.isEmpty else { return }
    var differs = false
    for column in 0..<Int(sqlite3_preupdate_count(connection)) where wanted.contains(column) {
      let nullIsInDoubt = !columns.hasDefault.indices.contains(column) || columns.hasDefault[column]
      if Self.columnDiffers(connection, Int32(column), nullIsInDoubt: nullIsInDoubt) {
        tables[index].changed.insert(column)
        differs = true
      }
    }
    if differs { noteRow(rowID, of: index) }
  }

  private mutating func noteRow(_ rowID: Int64, of index: Int) {
    guard let count = tables[index].rowIDs?.count else { return }
    if count < Self.maximumRowIDs {
      tables[index].rowIDs?.insert(rowID)
    } else {
      tables[index].rowIDs = nil
    }
  }

  private mutating func index(
    of schema: UnsafePointer<CChar>,
    _ name: UnsafePointer<CChar>
  ) -> Int {
    if lastIndex < tables.count, tables[lastIndex].schemaAddress == schema,
      tables[lastIndex].nameAddress == name
    {
      return lastIndex
    }
    // An address may have been used for another name before, so names are what counts.
    let tableName = TableName(schema: String(cString: schema), name: String(cString: name))
    if let known = tables.firstIndex(where: { $0.name == tableName }) {
      tables[known].schemaAddress = schema
      tables[known].nameAddress = name
      lastIndex = known
      return known
    }
    let observed = observedTables[tableName]
    let columns = observed == nil ? nil : storedColumns[tableName]
    tables.append(
      Table(
        name: tableName,
        schemaAddress: schema,
        nameAddress: name,
        storedColumns: columns,
        observed: columns.map { $0.set(of: observed?.columns) } ?? ColumnSet(),
        // What nobody observes, or whose columns are unknown, counts as changed in all of its rows.
        hasOtherRows: columns == nil,
        rowIDs: columns != nil && observed?.hasRowObservers == true ? [] : nil
      )
    )
    lastIndex = tables.count - 1
    return lastIndex
  }

  /// Whether the row's new value of a column is another one than the old.
  private static func columnDiffers(
    _ connection: OpaquePointer,
    _ column: Int32,
    nullIsInDoubt: Bool
  ) -> Bool {
    var old: OpaquePointer?
    var new: OpaquePointer?
    guard sqlite3_preupdate_old(connection, column, &old) == SQLITE_OK,
      sqlite3_preupdate_new(connection, column, &new) == SQLITE_OK, let old, let new
    else { return true }
    let type = sqlite3_value_type(old)
    guard type == sqlite3_value_type(new) else { return true }
    switch type {
    case SQLITE_NULL:
      return nullIsInDoubt
    case SQLITE_INTEGER:
      return sqlite3_value_int64(old) != sqlite3_value_int64(new)
    case SQLITE_FLOAT:
      return sqlite3_value_double(old).bitPattern != sqlite3_value_double(new).bitPattern
    default:
      let count = sqlite3_value_bytes(old)
      guard count == sqlite3_value_bytes(new) else { return true }
      guard count > 0, let left = sqlite3_value_blob(old), let right = sqlite3_value_blob(new)
      else { return false }
      return UnsafeRawBufferPointer(start: left, count: Int(count))
        .elementsEqual(UnsafeRawBufferPointer(start: right, count: Int(count)))
        == false
    }
  }
}
