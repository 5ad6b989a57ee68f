internal import CWellspringSQLite
internal import Storage

/// Recording rows, inside the preupdate hook.
extension TransactionRecorder {
  func rowWillChange(
    _ row: PreupdateRow,
    _ schema: UnsafePointer<CChar>,
    _ name: UnsafePointer<CChar>
  ) {
    draft.rowEvents += 1
    guard phase.records, sqlite3_stricmp(schema, "main") == 0 else { return }
    guard let table = tables.table(ofRowIn: name) else {
      return draft.buffer.appendSnapshotNeeded("the table \(String(cString: name)) is unknown")
    }
    guard !table.isOwn else { return }
    guard phase.rowWillChange() else { return }
    if table.isSequenceTable { return draft.mustReadSequences = true }
    if table.isSchemaTable {
      return draft.buffer.appendSnapshotNeeded("a statement has written sqlite_schema")
    }
    if let obstacle = table.obstacle { return draft.buffer.appendSnapshotNeeded(obstacle) }
    if row.isDeleted, let column = row.writtenBlob { return noteBlob(table, row.oldRowID, column) }
    guard runsInternalStatements || isRunningStatement else {
      return draft.buffer.appendSnapshotNeeded("rows were changed through sqliteConnection")
    }
    if row.isInserted {
      recordInsertion(table, row)
    } else if row.isUpdated {
      recordUpdate(table, row)
    } else {
      recordDeletion(table, row)
    }
  }

  /// Whether a statement of this library changes rows. The failure of another one is not noticed.
  private var isRunningStatement: Bool {
    guard let last = database.runningStatements.last else { return false }
    // A savepoint makes full-text tables write the rows that they hold in memory.
    return last.mayChangeRows || last.isTransactionControl
      || database.runningStatements.contains(where: \.mayChangeRows)
  }

  private func noteBlob(_ table: RecordableTable, _ rowID: Int64, _ ordinal: Int32) {
    guard let column = table.columns.first(where: { $0.ordinal == ordinal }) else {
      return draft.buffer.appendSnapshotNeeded("a blob of \(table.name) was written in place")
    }
    draft.writtenBlobs.insert(
      RecordingDraft.WrittenBlob(table: table.name, rowID: rowID, column: column.name)
    )
  }

  private func recordInsertion(_ table: RecordableTable, _ row: PreupdateRow) {
    if table.mayHaveSequence { draft.touchSequence(of: table.name) }
    draft.buffer.begin(.insert, table: draft.buffer.number(of: table.table))
    if table.key.isEmpty { draft.buffer.append(signed: row.newRowID) }
    for column in table.columns { draft.buffer.append(row.new(column.numbers.inserted)) }
  }

  private func recordDeletion(_ table: RecordableTable, _ row: PreupdateRow) {
    let number = draft.buffer.number(of: table.table)
    let position = draft.buffer.position
    draft.buffer.begin(.delete, table: number)
    appendKey(table, row, itemAt: position)
  }

  private func recordUpdate(_ table: RecordableTable, _ row: PreupdateRow) {
    let hasRowID = table.key.isEmpty
    let hasMoved = hasRowID && row.oldRowID != row.newRowID
    // A value that was written in place is not found at the old row id any more.
    let wasWrittenInPlace =
      hasMoved
      && draft.writtenBlobs.contains { $0.table == table.name && $0.rowID == row.oldRowID }
    // SQLite 3.40 gives some integers of tables WITHOUT ROWID, or with virtual columns, as real
    // numbers, so that they cannot be compared.
    let showsIntegersAsReal = table.hasReal && (!hasRowID || table.hasVirtualColumns)
    let isComplete = wasWrittenInPlace || showsIntegersAsReal
    let number = draft.buffer.number(of: table.table)
    let position = draft.buffer.position
    draft.buffer.begin(.update, table: number)
    guard appendKey(table, row, itemAt: position) else { return }
    if hasRowID {
      draft.buffer.append(byte: hasMoved ? 1 : 0)
      if hasMoved { draft.buffer.append(signed: row.newRowID) }
    }
    var hasChanged = hasMoved
    for (index, column) in table.columns.enumerated() where isComplete || differs(column, row) {
      draft.buffer.append(count: index + 1)
      draft.buffer.append(row.new(column.numbers.updated))
      hasChanged = true
    }
    draft.buffer.append(count: 0)
    if !hasChanged { draft.buffer.cut(at: position) }
  }

  /// Appends the key of a row before its change.
  ///
  /// - Returns: Whether SQLite gives its key.
  @discardableResult
  private func appendKey(
    _ table: RecordableTable,
    _ row: PreupdateRow,
    itemAt position: Int
  ) -> Bool {
    guard !table.key.isEmpty else {
      draft.buffer.append(signed: row.oldRowID)
      return true
    }
    for index in table.key {
      let column = table.columns[index]
      let value = row.old(column.numbers.old)
      // SQLite 3.40 gives some integers of tables with REAL columns as approximate numbers.
      if table.hasReal, !column.isReal, let value, PreupdateRow.mayBeRounded(value) {
        draft.buffer.cut(at: position)
        draft.buffer.appendSnapshotNeeded("SQLite does not give the key of a row of \(table.name)")
        return false
      }
      draft.buffer.append(value)
    }
    return true
  }

  private func differs(_ column: RecordableTable.Column, _ row: PreupdateRow) -> Bool {
    guard let old = row.old(column.numbers.old), let new = row.new(column.numbers.updated) else {
      return true
    }
    if column.hasDefault, sqlite3_value_type(old) == SQLITE_NULL { return true }
    guard let differs = PreupdateRow.differs(old, new) else {
      draft.buffer.noteMissingValue()
      return true
    }
    return differs
  }
}
