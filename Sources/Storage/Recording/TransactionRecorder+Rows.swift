internal import CWellspringSQLite

/// Recording rows, inside the preupdate hook.
extension TransactionRecorder {
  func rowWillChange(
    _ operation: Int32,
    _ schema: UnsafePointer<CChar>,
    _ name: UnsafePointer<CChar>,
    _ oldRowID: Int64,
    _ newRowID: Int64
  ) {
    rowEvents += 1
    guard !isSuspended, sqlite3_stricmp(schema, "main") == 0 else { return }
    guard let index = index(of: name) else {
      return buffer.appendSnapshotNeeded("the table \(String(cString: name)) is unknown")
    }
    let table = tables[index]
    guard !table.isOwn else { return }
    guard !isPrepared else { return hasLateRows = true }
    if table.isSequenceTable { return mustReadSequences = true }
    if table.isSchemaTable {
      return buffer.appendSnapshotNeeded("a statement has written sqlite_schema")
    }
    if let obstacle = table.obstacle { return buffer.appendSnapshotNeeded(obstacle) }
    if operation == SQLITE_DELETE {
      let column = sqlite3_preupdate_blobwrite(database.sqliteConnection)
      if column >= 0 { return noteBlob(table, oldRowID, column) }
    }
    guard runsInternalStatements || isRunningStatement else {
      return buffer.appendSnapshotNeeded("rows were changed through sqliteConnection")
    }
    switch operation {
    case SQLITE_INSERT: recordInsertion(table, newRowID)
    case SQLITE_UPDATE: recordUpdate(table, oldRowID, newRowID)
    default: recordDeletion(table, oldRowID)
    }
  }

  /// Whether a statement of this library changes rows. The failure of another one is not noticed.
  private var isRunningStatement: Bool {
    guard let last = database.runningStatements.last else { return false }
    // A savepoint makes full-text tables write the rows that they hold in memory.
    return last.mayChangeRows || last.effects.isTransactionControl
      || database.runningStatements.contains(where: \.mayChangeRows)
  }

  private func index(of name: UnsafePointer<CChar>) -> Int? {
    if let lastTable, isNamed(name, tableNames[lastTable]) { return lastTable }
    lastTable = tableNames.firstIndex { isNamed(name, $0) }
    return lastTable
  }

  private func isNamed(
    _ name: UnsafePointer<CChar>,
    _ known: borrowing ContiguousArray<CChar>
  ) -> Bool {
    known.withUnsafeBufferPointer { sqlite3_stricmp($0.baseAddress, name) == 0 }
  }

  private func noteBlob(_ table: RecordableTable, _ rowID: Int64, _ place: Int32) {
    guard let column = table.columns.first(where: { $0.place == place }) else {
      return buffer.appendSnapshotNeeded("a blob of \(table.name) was written in place")
    }
    writtenBlobs.insert(WrittenBlob(table: table.name, rowID: rowID, column: column.name))
  }

  private func recordInsertion(_ table: RecordableTable, _ rowID: Int64) {
    if table.mayHaveSequence, touchedSequences.last != table.name,
      !touchedSequences.contains(table.name)
    {
      touchedSequences.append(table.name)
    }
    buffer.begin(.insert, table: buffer.number(of: table.table))
    if table.key.isEmpty { buffer.append(signed: rowID) }
    for column in table.columns { buffer.append(newValue(column.insertedNumber)) }
  }

  private func recordDeletion(_ table: RecordableTable, _ rowID: Int64) {
    let number = buffer.number(of: table.table)
    let position = buffer.position
    buffer.begin(.delete, table: number)
    appendKey(table, rowID, itemAt: position)
  }

  private func recordUpdate(_ table: RecordableTable, _ oldRowID: Int64, _ newRowID: Int64) {
    let hasRowID = table.key.isEmpty
    // A value that was written in place is not found at the old row id any more.
    let wasWrittenInPlace =
      hasRowID && oldRowID != newRowID
      && writtenBlobs.contains { $0.table == table.name && $0.rowID == oldRowID }
    // SQLite 3.40 gives some integers of tables WITHOUT ROWID, or with virtual columns, as real
    // numbers, so that they cannot be compared.
    let showsIntegersAsReal = table.hasReal && (!hasRowID || table.hasVirtualColumns)
    let isComplete = wasWrittenInPlace || showsIntegersAsReal
    let number = buffer.number(of: table.table)
    let position = buffer.position
    buffer.begin(.update, table: number)
    guard appendKey(table, oldRowID, itemAt: position) else { return }
    if hasRowID {
      let hasMoved = oldRowID != newRowID
      buffer.append(byte: hasMoved ? 1 : 0)
      if hasMoved { buffer.append(signed: newRowID) }
    }
    var hasChanged = hasRowID && oldRowID != newRowID
    for (index, column) in table.columns.enumerated() where isComplete || differs(column) {
      buffer.append(count: index + 1)
      buffer.append(newValue(column.updatedNumber))
      hasChanged = true
    }
    buffer.append(count: 0)
    if !hasChanged { buffer.cut(at: position) }
  }

  /// Appends what identifies a row before its change.
  ///
  /// - Returns: Whether SQLite gives its key.
  @discardableResult
  private func appendKey(_ table: RecordableTable, _ rowID: Int64, itemAt position: Int) -> Bool {
    guard !table.key.isEmpty else {
      buffer.append(signed: rowID)
      return true
    }
    for index in table.key {
      let column = table.columns[index]
      let value = oldValue(column.oldNumber)
      // SQLite 3.40 gives some integers of tables with REAL columns as approximate numbers.
      if table.hasReal, !column.isReal, let value, PreupdateValue.mayBeRounded(value) {
        buffer.cut(at: position)
        buffer.appendSnapshotNeeded("SQLite does not give the key of a row of \(table.name)")
        return false
      }
      buffer.append(value)
    }
    return true
  }

  // MARK: Values

  private func oldValue(_ number: Int32) -> OpaquePointer? {
    var value: OpaquePointer?
    sqlite3_preupdate_old(database.sqliteConnection, number, &value)
    return value
  }

  private func newValue(_ number: Int32) -> OpaquePointer? {
    var value: OpaquePointer?
    sqlite3_preupdate_new(database.sqliteConnection, number, &value)
    return value
  }

  private func differs(_ column: RecordableTable.Column) -> Bool {
    guard let old = oldValue(column.oldNumber), let new = newValue(column.updatedNumber) else {
      return true
    }
    if column.hasDefault, sqlite3_value_type(old) == SQLITE_NULL { return true }
    guard let differs = PreupdateValue.differs(old, new) else {
      buffer.noteMissingValue()
      return true
    }
    return differs
  }
}
