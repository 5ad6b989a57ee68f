internal import CWellspringSQLite
internal import Storage

/// Recording the effects of statements without rows, and the effects that were undone.
extension TransactionRecorder {
  func statementWillRun(_ statement: Statement) throws {
    let controlsTransaction = statement.isTransactionControl
    if controlsTransaction { rawSavepoints.statementWillRun(database.authorizer) }
    guard phase.records else { return }
    if controlsTransaction {
      if !isInsideTransaction {
        forgetTransaction()
        if case .begin = statement.savepoint { draft.wasBegunBySavepoint = true }
        // The raw handle may write before the next statement.
        try learnTables()
      } else if statement.commitsTransaction || endsTransaction(statement.savepoint) {
        try prepareCommit(by: statement)
      }
    } else if statement.mayChangeRows {
      try writeWillRun(statement)
    }
  }

  private func endsTransaction(_ savepoint: StatementEffects.Savepoint?) -> Bool {
    if case .release(let name) = savepoint { draft.commits(releasing: name) } else { false }
  }

  private func writeWillRun(_ statement: Statement) throws {
    if !isInsideTransaction {
      forgetTransaction()
      if statement.mayRunInTransaction {
        // The transaction of the statement alone could not be recorded before its commit.
        try database.execute(sql: "BEGIN")
        implicitStatement = ObjectIdentifier(statement)
        database.transactionState.isImplicit = true
        database.commitAwaitsCheck = true
      } else {
        phase.neutralStatementWillRun()
        if statement.isVacuum { try announceVacuum() }
      }
    }
    do {
      try learnTables()
      if !tables.withSequences.isEmpty { noteSequences(statement.effects.writes) }
      // A statement that fails would undo its own rows, and keep those. The next step would hide
      // them from the recorder.
      if draft.mayHoldRows, starts.isEmpty { try flushVirtualTables() }
      if analyzes(statement) { try makeStatistics() }
      if statement.changesSchema { try recordWrittenBlobs() }
    } catch {
      if implicitStatement == ObjectIdentifier(statement) { throw rollBack(after: error) }
      throw error
    }
    starts.append((ObjectIdentifier(statement), draft.buffer.position))
    if !tables.virtual.isEmpty,
      statement.effects.writes.contains(where: { tables.virtual.contains($0.name) })
    {
      draft.mayHoldRows = true
    }
  }

  /// Notes the sequences that a statement may change, even if it inserts no row.
  private func noteSequences(_ writes: Set<TableName>) {
    for write in writes where write.schema == "main" && tables.withSequences.contains(write.name) {
      if let name = tables.table(named: write.name)?.name { draft.touchSequence(of: name) }
    }
  }

  // MARK: Schema

  func specialStatementDidRun(_ statement: Statement) {
    if statement.savepoint != nil { rawSavepoints.statementDidRun(database.authorizer) }
    guard phase.records else {
      if statement.changesSchema { schemaVersion = nil }
      return
    }
    switch statement.savepoint {
    case .begin(let name):
      let mark = RecordingDraft.Mark(
        position: draft.buffer.position,
        schemaVersion: schemaVersion
      )
      draft.savepoints.begin(name, mark)
    case .release(let name):
      draft.savepoints.release(name)
    case .rollback(let name):
      guard let mark = draft.savepoints.rollBack(to: name) else { break }
      draft.buffer.cut(at: mark.position)
      schemaVersion = mark.schemaVersion
    case nil: break
    }
    if statement.writesPragma { draft.mustReadHeader = true }
    if statement.changesSchema, isInsideTransaction { recordSchemaChange(statement) }
  }

  private func recordSchemaChange(_ statement: Statement) {
    let change = SchemaChange(statement, knows: { tables.table(named: $0) != nil })
    do {
      let version = try database.versions.schemaNumber()
      // `IF NOT EXISTS` has found an existing object.
      if version == schemaVersion, !change.isUnknown { return }
      switch change {
      case .none: break
      case .unknown(let reason):
        // The rows that the statement has written belong to it.
        if let start = starts.last(where: { $0.statement == ObjectIdentifier(statement) }) {
          draft.buffer.cut(at: start.position)
        }
        draft.buffer.appendSnapshotNeeded(reason)
      case .statement:
        draft.buffer.appendSchema(statement.sql)
        // A sequence may have another name from here on.
        if !draft.touchedSequences.isEmpty { knownSequences = nil }
      case .newTable(let name): try recordNewTable(name, statement)
      }
      schemaVersion = version
      // Rows of a renamed or dropped table must not be recorded as rows of another table.
      tables.forgetVersion()
      try learnTables()
    } catch {
      draft.buffer.appendSnapshotNeeded("the schema cannot be read: \(error)")
    }
  }

  /// Records a table that may have been made from the rows of a query.
  private func recordNewTable(_ name: String, _ statement: Statement) throws {
    let sql = try suspended {
      try String.fetchOne(
        database,
        sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND lower(name) = lower(?)",
        arguments: [name]
      )
    }
    guard let sql else { return }
    // SQLite keeps the text of the statement from the name on, unless it made the columns itself.
    let kept = sql.utf8.dropFirst("CREATE TABLE ".utf8.count)
    let given = statement.sql.utf8.reversed().drop { " \n\t\r;".utf8.contains($0) }
    if given.starts(with: kept.reversed()) {
      return draft.buffer.appendSchema(statement.sql)
    }
    draft.buffer.appendSchema(sql)
    // The query could read data that other nodes do not have, and its rows could come in another
    // order.
    tables.forgetVersion()
    schemaVersion = nil
    try learnTables()
    guard let table = tables.table(named: name), table.obstacle == nil else {
      return draft.buffer.appendSnapshotNeeded("the rows of the new table \(name) cannot be read")
    }
    // A table without row ids is not made from a query.
    if table.key.isEmpty { try suspended { try recordAllRows(of: table) } }
  }

  private func recordAllRows(of table: RecordableTable) throws {
    let rowID = (table.rowIDName ?? "0").quotedDatabaseIdentifier
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT \(rowID)\(typedValues(of: table)) FROM main.\(table.name.quotedDatabaseIdentifier) \
        ORDER BY 1
        """
    )
    while let row = try rows.next() {
      draft.buffer.begin(.insert, table: draft.buffer.number(of: table.table))
      draft.buffer.append(signed: row[0])
      for index in table.columns.indices {
        draft.buffer.append(RecordedValue(type: row[2 * index + 1], row[2 * index + 2]))
      }
    }
  }

  /// Returns SQL for the types and values of a table's columns, after other columns: see
  /// ``typedValue(of:)``.
  func typedValues(of table: RecordableTable) -> String {
    table.columns.map { ", " + typedValue(of: $0.name) }.joined()
  }

  /// Returns SQL for the type of a column and its value, for ``RecordedValue/init(type:_:)``.
  ///
  /// SQLite gives a text in UTF-8, whatever encoding the file has.
  func typedValue(of column: String) -> String {
    let name = column.quotedDatabaseIdentifier
    return "typeof(\(name)), \(name)"
  }

  // MARK: Statistics

  private func analyzes(_ statement: Statement) -> Bool {
    statement.pragma == "optimize"
      || (statement.changesSchema
        && statement.effects.schemaActions.contains { $0.code == SQLITE_ANALYZE })
  }

  /// Makes the table of statistics before `ANALYZE` fills it, whose rows are recorded like other
  /// rows.
  private func makeStatistics() throws {
    guard isInsideTransaction, tables.table(named: "sqlite_stat1") == nil else { return }
    let sql = "ANALYZE main.sqlite_schema"
    try suspended { try database.execute(sql: sql) }
    draft.buffer.appendSchema(sql)
    schemaVersion = nil
    tables.forgetVersion()
    try learnTables()
  }

  // MARK: Ends of statements

  func endImplicitTransaction(of statement: Statement) throws {
    guard implicitStatement == ObjectIdentifier(statement) else { return }
    implicitStatement = nil
    database.transactionState.isImplicit = false
    // The statement may have rolled back, by a conflict clause.
    guard isInsideTransaction else { return }
    // The running statement has done its work.
    starts.removeAll { $0.statement == ObjectIdentifier(statement) }
    do {
      try database.execute(sql: "COMMIT")
    } catch {
      throw rollBack(after: error)
    }
  }

  func statementDidEnd(_ statement: Statement, hasFailed: Bool) {
    guard phase.records else { return }
    if let index = starts.lastIndex(where: { $0.statement == ObjectIdentifier(statement) }) {
      let position = starts[index].position
      starts.remove(at: index)
      if phase.statementDidEnd() {
        // `VACUUM` changes the number.
        schemaVersion = nil
        foreignCommits.forgetCount()
      }
      if hasFailed, position < draft.buffer.position, isInsideTransaction, !keptRows(from: position)
      {
        draft.buffer.cut(at: position)
      }
    }
    if implicitStatement == ObjectIdentifier(statement) {
      do {
        try endImplicitTransaction(of: statement)
      } catch {
        // A statement that has failed has already thrown.
        if !hasFailed { database.noteUnreportedFailure(error) }
      }
    }
    // SQLite has already undone a transaction that it could not write.
    if phase.awaitsEnd, statement.isCommit { commitDidEnd(hasFailed: hasFailed) }
  }

  private func commitDidEnd(hasFailed: Bool) {
    if isInsideTransaction {
      guard hasFailed else { return }
      // The delegate was promised a commit, which a second attempt would promise again.
      _ = rollBack(after: RecordingError.unrecordedCommit)
    }
    let wasAnnounced = phase.commitDidEnd()
    if !hasFailed { foreignCommits.didCommit(database) }
    if hasFailed {
      knownSequences = nil
    } else if let sequences = draft.nextSequences {
      knownSequences = sequences
    }
    forgetTransaction()
    guard wasAnnounced else { return }
    suspended {
      if hasFailed { delegate.didRollBack(database) } else { delegate.didCommit(database) }
    }
  }

  /// Rolls back, and returns the error to throw.
  func rollBack(after error: any Error) -> any Error {
    implicitStatement = nil
    database.transactionState.isImplicit = false
    guard isInsideTransaction else { return error }
    suspended {
      do {
        try database.execute(sql: "ROLLBACK")
      } catch {
        sqlite3_exec(database.sqliteConnection, "ROLLBACK", nil, nil, nil)
      }
    }
    return error
  }
}

extension Statement {
  /// Whether the statement ends a transaction that may have been recorded.
  fileprivate var isCommit: Bool {
    if commitsTransaction || isVacuum { return true }
    if case .release = savepoint { return true }
    return false
  }

  /// Whether the statement may change rows. SQLite says that `PRAGMA optimize` only reads.
  var mayChangeRows: Bool { !isReadonly || pragma == "optimize" }

  /// Whether the statement may be part of a transaction, and does the same in it.
  fileprivate var mayRunInTransaction: Bool {
    if isVacuum { return false }
    if changesSchema,
      effects.schemaActions.contains(where: { [SQLITE_ATTACH, SQLITE_DETACH].contains($0.code) })
    {
      return false
    }
    guard let pragma else { return true }
    return ["user_version", "application_id", "schema_version", "optimize"].contains(pragma)
  }

  /// Whether the statement is `VACUUM`, about which the authorizer reports nothing.
  var isVacuum: Bool {
    guard !isTransactionControl, !changesSchema, pragma == nil, !hasWrites else { return false }
    return SQLKeyword.first(in: sql) == "vacuum"
  }
}

extension RecordedValue {
  /// The value of a row, by its type. A text that is not valid UTF-8 comes as a blob of its bytes.
  init(type: String, _ value: DatabaseValue) {
    let value = RecordedValue.fromDatabaseValue(value) ?? .null
    if type == "text", case .blob(let bytes) = value { self = .text(bytes) } else { self = value }
  }
}
