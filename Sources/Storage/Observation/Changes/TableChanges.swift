internal import CWellspringSQLite
internal import WellspringSystem

/// The changes of a transaction in one table, and those still to be determined.
///
/// It is reused for later transactions, because hashing a name takes longer than comparing a row.
struct TableChanges {
  /// Which further rows need not be examined.
  enum Settlement {
    /// Every row must be examined.
    case none
    /// Updated rows add no change.
    case updates
    /// No row adds a change.
    case all
  }

  let name: TableName
  /// The names as the hook gives them.
  private let schemaBytes: ContiguousArray<CChar>
  private let nameBytes: ContiguousArray<CChar>
  /// The table's columns; `nil` if the table is not observed.
  private let storedColumns: StoredColumns?
  /// The columns that are observed.
  private let observed: ColumnSet
  /// Whether single rows are observed.
  private let hasRowObservers: Bool
  /// The columns that observed queries compare with values, before any row has changed.
  private let noValues: ChangedValues?

  /// The observed columns that have changed.
  private var changed = ColumnSet()
  /// Whether rows were inserted or deleted.
  private var hasOtherRows: Bool
  /// The rows that changed; `nil` if single rows are not observed, or too many have changed.
  private var rowIDs: Set<Int64>?
  /// The keys of the rows that changed in a table without row ids; `nil` as above.
  private var keys: Set<RowKey>?
  /// The values of the rows that changed; `nil` if no values are observed, or none are known.
  private var values: ChangedValues?
  /// The names for the last set of changed columns.
  private var changedNames: (set: ColumnSet, names: Set<ColumnName>) = (ColumnSet(), [])

  /// With more row ids or keys than this, the table counts as changed in all rows: they are not
  /// worth their memory.
  private static let maximumRows = 1000
  /// Longer keys are not kept.
  private static let maximumKeyLength = 1024

  /// - Parameters:
  ///   - schema: The schema, as the hook gives it.
  ///   - table: The table, as the hook gives it.
  ///   - observedTables: The observed tables.
  ///   - storedColumns: The columns of all observed tables that exist.
  init(
    schema: UnsafePointer<CChar>,
    table: UnsafePointer<CChar>,
    observedTables: ObservedTables,
    storedColumns: [TableName: StoredColumns]
  ) {
    name = TableName(schema: String(cString: schema), name: String(cString: table))
    schemaBytes = String(cString: schema).utf8CString
    nameBytes = String(cString: table).utf8CString
    let observation = observedTables[name]
    let columns = observation == nil ? nil : storedColumns[name]
    self.storedColumns = columns
    observed = columns.map { $0.set(of: observation?.columns ?? .all) } ?? ColumnSet()
    hasRowObservers = columns != nil && observation?.hasRowObservers == true
    let conditionColumns = observation?.conditionColumns ?? []
    noValues = columns.flatMap { columns in
      conditionColumns.isEmpty ? nil : ChangedValues(conditionColumns, of: columns)
    }
    // A table that is not observed, or whose columns are unknown, counts as changed in all of its
    // rows.
    hasOtherRows = columns == nil
    forgetRows()
  }

  private mutating func forgetRows() {
    values = noValues
    guard hasRowObservers, let storedColumns else { return }
    if storedColumns.isWithoutRowID {
      keys = storedColumns.key == nil ? nil : []
    } else {
      rowIDs = []
    }
  }

  /// Whether the hook's names are those of this table.
  func isNamed(_ schema: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>) -> Bool {
    nameBytes.withUnsafeBufferPointer { sqlite3_stricmp($0.baseAddress, table) == 0 }
      && schemaBytes.withUnsafeBufferPointer { sqlite3_stricmp($0.baseAddress, schema) == 0 }
  }

  /// Whether rows are examined. If not, the table counts as changed in all of its rows.
  var isExamined: Bool { storedColumns != nil }

  /// Drops the changes: another transaction begins.
  mutating func removeAll() {
    changed = ColumnSet()
    hasOtherRows = storedColumns == nil
    forgetRows()
  }

  /// Which further rows need not be examined.
  var settlement: Settlement {
    guard !needsEachRow else { return .none }
    if hasOtherRows { return .all }
    return observed.subtracting(changed).isEmpty ? .updates : .none
  }

  /// Whether it matters of each row whether it has changed.
  private var needsEachRow: Bool { rowIDs != nil || keys != nil || values != nil }

  // MARK: Rows

  /// Notes that a row is about to change, inside the preupdate hook.
  mutating func note(_ row: PreupdateRow) {
    if keys != nil {
      noteKeys(row)
    } else if row.isUpdated, Fault.isOn(.keyChange) || row.oldRowID == row.newRowID {
      guard findChangedColumns(row) else { return }
      noteValues(row)
      noteRow(row.oldRowID)
    } else {
      // An incremental blob write is reported as a deletion. An update of a row id deletes the row
      // in one place and inserts it in another.
      hasOtherRows = true
      noteValues(row)
      let isForgotten = row.isUpdated && Fault.isOn(.valueRowID)
      if !row.isInserted, !isForgotten { noteRow(row.oldRowID) }
      if !row.isDeleted { noteRow(row.newRowID) }
    }
  }

  private mutating func noteValues(_ row: PreupdateRow) {
    guard values != nil, let storedColumns else { return }
    values?.note(row, storedColumns)
    if values?.isEmpty == true { values = nil }
  }

  /// Notes the columns that an update changes.
  ///
  /// - Returns: Whether it changes any that is looked for.
  private mutating func findChangedColumns(_ row: PreupdateRow) -> Bool {
    guard let columns = storedColumns else { return false }
    // Where each row matters, all observed columns of the row are compared; otherwise only the
    // columns that have not changed yet.
    let wanted = needsEachRow ? observed : observed.subtracting(changed)
    guard !wanted.isEmpty else { return false }
    var differs = false
    let count = row.count - columns.virtualCount
    for column in 0..<max(count, 0) where wanted.contains(column) {
      let nullIsInDoubt = !columns.hasDefault.indices.contains(column) || columns.hasDefault[column]
      let isChanged = columns.numbers(of: column).map {
        Self.columnDiffers(
          row,
          $0,
          nullIsInDoubt: nullIsInDoubt,
          integersAreReal: columns.showsIntegersAsReal(column)
        )
      }
      if isChanged ?? true {
        changed.insert(column)
        differs = true
      }
    }
    return differs
  }

  private mutating func noteRow(_ rowID: Int64) {
    guard let count = rowIDs?.count else { return }
    if count < Self.maximumRows {
      rowIDs?.insert(rowID)
    } else if !Fault.isOn(.rowCap) {
      rowIDs = nil
    }
  }

  /// Notes a row of a table without row ids.
  private mutating func noteKeys(_ row: PreupdateRow) {
    guard let storedColumns else { return }
    let old = row.isInserted ? nil : storedColumns.oldKey(row)
    let new = row.isDeleted ? nil : storedColumns.newKey(row)
    // A key that is not known may have changed.
    if row.isUpdated, let old, old == new {
      guard findChangedColumns(row) else { return }
      noteValues(row)
      noteKey(old)
    } else {
      // An update of a key deletes the row in one place and inserts it in another.
      hasOtherRows = true
      noteValues(row)
      if row.isDeleted || row.isUpdated && !Fault.isOn(.patchKeyMoved) { noteKey(old) }
      if !row.isDeleted { noteKey(new) }
    }
  }

  private mutating func noteKey(_ key: RowKey?) {
    guard let count = keys?.count else { return }
    if let key, count < Self.maximumRows, key.bytes.count <= Self.maximumKeyLength {
      keys?.insert(key)
    } else {
      keys = nil
      // Later updates of keys are not noticed.
      hasOtherRows = true
    }
  }

  /// Whether the row's new value of a column differs from the old one.
  private static func columnDiffers(
    _ row: PreupdateRow,
    _ numbers: DeclaredTable.HookNumbers,
    nullIsInDoubt: Bool,
    integersAreReal: Bool
  ) -> Bool {
    guard let old = row.old(numbers.old), let new = row.new(numbers.updated) else { return true }
    if sqlite3_value_type(old) == SQLITE_NULL, sqlite3_value_type(new) == SQLITE_NULL {
      return nullIsInDoubt && !Fault.isOn(.nullDefault)
    }
    if integersAreReal, sqlite3_value_type(old) == SQLITE_FLOAT {
      let value = sqlite3_value_double(old)
      if value.rounded() == value { return true }
    }
    return PreupdateRow.differs(old, new) ?? true
  }

  // MARK: The result

  /// Returns the changes of observed columns and rows; `nil` if nothing has changed.
  mutating func finish() -> DatabaseChanges.Table? {
    guard let storedColumns else { return .all }
    // Inserted and deleted rows change every column.
    if hasOtherRows {
      return changes(of: .all)
    }
    guard !changed.isEmpty else { return nil }
    if changedNames.set != changed { changedNames = (changed, storedColumns.names(in: changed)) }
    return changes(of: .some(changedNames.names))
  }

  private func changes(of columns: Extent<ColumnName>) -> DatabaseChanges.Table {
    DatabaseChanges.Table(
      columns: columns,
      rowIDs: Extent(rowIDs),
      keys: Extent(keys),
      values: values?.keys ?? [:]
    )
  }
}
