internal import CWellspringSQLite
internal import WellspringPlatform

/// The values of a table's changed rows, before and after each change, in the columns that observed
/// queries compare with arguments or constants.
struct ChangedValues {
  fileprivate struct Column {
    let column: ConditionColumn
    /// The place of the column among the stored ones.
    let place: Int
    var keys: [ValueKey: RowsOfValue]
  }

  /// The columns whose values are known of all rows so far.
  private var columns: [Column]
  private var rows = 0

  /// With more rows than this, any value may be among them: to look at them costs more than to run
  /// the queries.
  private static let maximumRows = 1000

  init(_ columns: Set<ConditionColumn>, of table: StoredColumns) {
    self.columns = columns.compactMap { column in
      guard let place = table.names.firstIndex(of: column.name) else { return nil }
      return Column(column: column, place: place, keys: [:])
    }
  }

  /// Whether nothing can be found out about further rows.
  var isEmpty: Bool { columns.isEmpty }

  /// The values by column, with their rows.
  var keys: [ConditionColumn: [ValueKey: RowsOfValue]] {
    Dictionary(uniqueKeysWithValues: columns.map { ($0.column, $0.keys) })
  }

  /// Notes the values of a row that is about to change, inside the preupdate hook.
  mutating func note(
    _ connection: OpaquePointer,
    _ operation: Int32,
    _ oldRowID: Int64,
    _ newRowID: Int64,
    _ table: StoredColumns
  ) {
    rows += 1
    if rows > Self.maximumRows, Fault.isOn(.valueLimit) { return }
    // The hook has no new values of an incremental blob write.
    guard rows <= Self.maximumRows, sqlite3_preupdate_blobwrite(connection) < 0 else {
      return columns = []
    }
    for index in columns.indices.reversed() {
      // The hook shows NULL for a row id that is not among the stored values.
      if columns[index].place == table.rowIDColumn {
        if operation != SQLITE_INSERT { columns[index].insert(rowID: oldRowID) }
        if operation != SQLITE_DELETE { columns[index].insert(rowID: newRowID) }
      } else if !columns[index].note(connection, operation, oldRowID, newRowID, table) {
        columns.remove(at: index)
      }
    }
  }
}

extension ChangedValues.Column {
  /// - Returns: Whether the values are known.
  fileprivate mutating func note(
    _ connection: OpaquePointer,
    _ operation: Int32,
    _ oldRowID: Int64,
    _ newRowID: Int64,
    _ table: StoredColumns
  ) -> Bool {
    guard let numbers = table.numbers(of: place) else { return false }
    // The values of an inserted row have the numbers of those of a deleted row.
    let new = operation == SQLITE_INSERT ? numbers.old : numbers.new
    if operation != SQLITE_INSERT, !Fault.isOn(.valueBefore) {
      guard insert(oldRowID, table, { sqlite3_preupdate_old(connection, numbers.old, &$0) }) else {
        return false
      }
    }
    if operation != SQLITE_DELETE, !Fault.isOn(.valueAfter) {
      guard insert(newRowID, table, { sqlite3_preupdate_new(connection, new, &$0) }) else {
        return false
      }
    }
    return true
  }

  fileprivate mutating func insert(rowID: Int64) {
    insert(ValueKey(rowID: rowID), of: .one(rowID))
  }

  private mutating func insert(_ key: ValueKey, of row: RowsOfValue) {
    guard let place = keys.index(forKey: key) else { return keys[key] = row }
    guard !Fault.isOn(.valueRows) else { return }
    if case .one(let rowID) = row { keys.values[place].insert(rowID) }
  }

  private mutating func insert(
    _ rowID: Int64,
    _ table: StoredColumns,
    _ read: (inout OpaquePointer?) -> Int32
  ) -> Bool {
    var value: OpaquePointer?
    let collation = Fault.isOn(.valueCollation) ? .binary : column.collation
    guard read(&value) == SQLITE_OK, let value,
      !PreupdateValue.mayBeRounded(value) || Fault.isOn(.valueRounded),
      let key = ValueKey(value, collation)
    else { return false }
    // In a row from before `ADD COLUMN`, the hook shows NULL, and a query reads the default.
    if key == .null, table.hasDefault[place], !Fault.isOn(.valueDefault) { return false }
    guard key.bytes.count <= ValueKey.maximumLength else { return false }
    insert(key, of: table.isWithoutRowID ? .unknown : .one(rowID))
    return true
  }
}
