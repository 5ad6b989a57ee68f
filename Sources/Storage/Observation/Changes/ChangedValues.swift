internal import CWellspringSQLite
internal import WellspringSystem

/// The values of a table's changed rows, before and after each change, in the columns that observed
/// queries compare with arguments or constants.
struct ChangedValues {
  fileprivate struct Column {
    let column: ConditionColumn
    /// The ordinal of the column among the stored ones.
    let ordinal: Int
    var keys: [ValueKey: RowsOfValue]
  }

  /// The columns whose values are known for all rows so far.
  private var columns: [Column]
  private var rows = 0

  /// With more rows than this, any value may be among them: to look at them costs more than to run
  /// the queries.
  private static let maximumRows = 1000

  init(_ columns: Set<ConditionColumn>, of table: StoredColumns) {
    self.columns = columns.compactMap { column in
      guard let ordinal = table.names.firstIndex(of: column.name) else { return nil }
      return Column(column: column, ordinal: ordinal, keys: [:])
    }
  }

  /// Whether nothing can be found out about further rows.
  var isEmpty: Bool { columns.isEmpty }

  /// The values by column, with their rows.
  var keys: [ConditionColumn: [ValueKey: RowsOfValue]] {
    Dictionary(uniqueKeysWithValues: columns.map { ($0.column, $0.keys) })
  }

  /// Notes the values of a row that is about to change, inside the preupdate hook.
  mutating func note(_ row: PreupdateRow, _ table: StoredColumns) {
    rows += 1
    if rows > Self.maximumRows, Fault.isOn(.valueLimit) { return }
    // The hook has no new values of an incremental blob write.
    guard rows <= Self.maximumRows, row.writtenBlob == nil else {
      return columns = []
    }
    for index in columns.indices.reversed() {
      // The hook shows NULL for a row id that is not among the stored values.
      if columns[index].ordinal == table.rowIDColumn {
        if !row.isInserted { columns[index].insert(rowID: row.oldRowID) }
        if !row.isDeleted { columns[index].insert(rowID: row.newRowID) }
      } else if !columns[index].note(row, table) {
        columns.remove(at: index)
      }
    }
  }
}

extension ChangedValues.Column {
  /// - Returns: Whether the values are known.
  fileprivate mutating func note(_ row: PreupdateRow, _ table: StoredColumns) -> Bool {
    guard let numbers = table.numbers(of: ordinal) else { return false }
    if !row.isInserted, !Fault.isOn(.valueBefore) {
      guard insert(row.oldRowID, row.old(numbers.old), table) else { return false }
    }
    if !row.isDeleted, !Fault.isOn(.valueAfter) {
      let new = row.new(row.isInserted ? numbers.inserted : numbers.updated)
      guard insert(row.newRowID, new, table) else { return false }
    }
    return true
  }

  fileprivate mutating func insert(rowID: Int64) {
    insert(ValueKey(rowID: rowID), of: .one(rowID))
  }

  private mutating func insert(_ key: ValueKey, of row: RowsOfValue) {
    guard let index = keys.index(forKey: key) else { return keys[key] = row }
    guard !Fault.isOn(.valueRows) else { return }
    if case .one(let rowID) = row { keys.values[index].insert(rowID) }
  }

  private mutating func insert(
    _ rowID: Int64,
    _ value: OpaquePointer?,
    _ table: StoredColumns
  ) -> Bool {
    let collation = Fault.isOn(.valueCollation) ? .binary : column.collation
    guard let value, !PreupdateRow.mayBeRounded(value) || Fault.isOn(.valueRounded),
      let key = ValueKey(value, collation)
    else { return false }
    // In a row from before `ADD COLUMN`, the hook shows NULL, and a query reads the default.
    if key == .null, table.hasDefault[ordinal], !Fault.isOn(.valueDefault) { return false }
    guard key.bytes.count <= ValueKey.maximumLength else { return false }
    insert(key, of: table.isWithoutRowID ? .unknown : .one(rowID))
    return true
  }
}
