internal import CWellspringSQLite
internal import Storage

/// Finishing a transaction before it is committed.
///
/// SQLite calls its commit hook when no statement can run any more. So the work is done before the
/// statement that commits, and the hook refuses commits without it.
extension TransactionRecorder {
  /// Records the changes that are only known at the end, and gives the transaction to the delegate.
  ///
  /// - Parameter statement: The statement that is about to commit.
  /// - Throws: The error by which the commit is refused. The transaction was rolled back.
  func prepareCommit(by statement: Statement) throws {
    let connection = database.sqliteConnection
    guard !phase.isPrepared, sqlite3_txn_state(connection, "main") == SQLITE_TXN_WRITE else {
      return
    }
    do {
      try flushVirtualTables()
      // SQLite will refuse such a commit.
      if database.hasUnresolvedForeignKeys || !starts.isEmpty { return }
      try database.askBeforeCommit()
      try checkForeignCommits()
      checkRawSavepoints(before: statement)
      try suspended {
        try recordRest()
        phase.prepare()
        guard !draft.buffer.isEmpty else { return }
        phase.announce()
        do {
          try delegate.willCommit(draft.buffer.take(), database)
        } catch {
          phase.withdraw()
          throw error
        }
      }
    } catch {
      phase.forgetTransaction()
      throw rollBack(after: error)
    }
  }

  /// Notifies the delegate of a `VACUUM` that may change row ids.
  func announceVacuum() throws {
    try learnTables()
    let changed = tables.all.first {
      $0.key.isEmpty && !$0.declaresRowID && !$0.name.hasPrefix("sqlite_")
    }
    guard let changed else { return }
    let reason = "VACUUM may change the row ids of the table \(changed.name)"
    // `VACUUM` runs outside transactions, so writes of the delegate are committed at once.
    phase.prepare()
    do {
      try suspended {
        try delegate.willCommit(RecordedTransaction(snapshotNeeded: reason), database)
      }
    } catch {
      phase.forgetTransaction()
      throw error
    }
    phase.announce()
  }

  /// Makes virtual tables write the rows that they would write while SQLite commits.
  ///
  /// At the beginning of a savepoint, FTS3, FTS4 and FTS5 write the rows that they hold in memory.
  func flushVirtualTables() throws {
    draft.mayHoldRows = false
    guard !tables.virtual.isEmpty else { return }
    for _ in 0..<8 {
      let before = draft.rowEvents
      runsInternalStatements = true
      defer { runsInternalStatements = false }
      let (code, _) = database.authorizer.record {
        sqlite3_exec(
          database.sqliteConnection,
          "SAVEPOINT wellspring_recorder; RELEASE wellspring_recorder",
          nil,
          nil,
          nil
        )
      }
      guard code == SQLITE_OK else {
        throw database.failure(code)
      }
      if draft.rowEvents == before { return }
    }
  }

  /// Appends changes without row events.
  private func recordRest() throws {
    try recordWrittenBlobs()
    let isRaw = database.authorizer.unrecordedCalls != unrecordedCalls
    unrecordedCalls = database.authorizer.unrecordedCalls
    try recordSequences(always: isRaw)
    if draft.mustReadHeader || database.authorizer.sawForeignHeaderChange { try recordHeader() }
    try checkSchema()
    if draft.buffer.lacksValue { draft.buffer.appendSnapshotNeeded("SQLite did not give a value") }
    let missing =
      sqlite3_total_changes64(database.sqliteConnection) - draft.totalChanges - draft.rowEvents
    // Writes of virtual tables are counted, and have no events.
    if tables.virtual.isEmpty, database.attached.isEmpty, missing > 0 {
      draft.buffer.appendSnapshotNeeded("\(missing) rows changed without an event")
    }
  }

  /// Reads the values that were written in place.
  func recordWrittenBlobs() throws {
    guard !draft.writtenBlobs.isEmpty else { return }
    let blobs = draft.writtenBlobs.sorted {
      ($0.table, $0.rowID, $0.column) < ($1.table, $1.rowID, $1.column)
    }
    try suspended {
      for blob in blobs {
        guard let table = tables.table(named: blob.table), let rowIDName = table.rowIDName,
          let index = table.columns.firstIndex(where: { $0.name == blob.column })
        else { continue }
        let row = try Row.fetchOne(
          database,
          sql: """
            SELECT \(typedValue(of: blob.column)) \
            FROM main.\(table.name.quotedDatabaseIdentifier) \
            WHERE \(rowIDName.quotedDatabaseIdentifier) = ?
            """,
          arguments: [blob.rowID]
        )
        // A row that has moved or changed its type since was recorded with all of its columns.
        guard let row, ["text", "blob"].contains(row[0] as String) else { continue }
        draft.buffer.begin(.update, table: draft.buffer.number(of: table.table))
        draft.buffer.append(signed: blob.rowID)
        draft.buffer.append(byte: 0)
        draft.buffer.append(count: index + 1)
        draft.buffer.append(RecordedValue(type: row[0], row[1]))
        draft.buffer.append(count: 0)
      }
    }
  }

  private func recordSequences(always: Bool) throws {
    guard draft.mustReadSequences || !draft.touchedSequences.isEmpty || always,
      tables.table(named: "sqlite_sequence") != nil
    else { return }
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT rowid, typeof(name), name, typeof(seq), seq FROM main.sqlite_sequence"
    ).map { row in
      RecordedSequence(
        rowID: row[0],
        name: RecordedValue.fromDatabaseValue(row[2]) ?? .null,
        value: RecordedValue.fromDatabaseValue(row[4]) ?? .null
      )
    }
    draft.nextSequences = rows
    var names: [RecordedValue] = draft.touchedSequences.map { .text(ArraySlice($0.utf8)) }
    let byName = Dictionary(rows.map { ($0.name, $0) }) { first, _ in first }
    guard let knownSequences, byName.count == rows.count,
      Set(knownSequences.map(\.name)).count == knownSequences.count
    else {
      return draft.buffer.appendSequences(names: nil, rows)
    }
    let known = Dictionary(uniqueKeysWithValues: knownSequences.map { ($0.name, $0) })
    for row in rows where known[row.name] != row && !names.contains(row.name) {
      names.append(row.name)
    }
    for row in knownSequences where byName[row.name] == nil && !names.contains(row.name) {
      names.append(row.name)
    }
    guard !names.isEmpty else { return }
    draft.buffer.appendSequences(names: names, names.compactMap { byName[$0] })
  }

  private func recordHeader() throws {
    draft.buffer.begin(.userVersion)
    draft.buffer.append(signed: try Int64.fetchOne(database, sql: "PRAGMA main.user_version") ?? 0)
    draft.buffer.begin(.applicationID)
    draft.buffer.append(
      signed: try Int64.fetchOne(database, sql: "PRAGMA main.application_id") ?? 0
    )
  }

  /// Notes changes of the schema that no statement of this library has made.
  ///
  /// Only another connection or the raw handle can make such a change. The authorizer has seen the
  /// raw handle compile it, perhaps in an earlier transaction.
  private func checkSchema() throws {
    guard
      schemaVersion == nil || draft.followsForeignCommits
        || database.authorizer.sawForeignHeaderChange
    else { return }
    let version = try database.versions.schemaNumber()
    if let schemaVersion, schemaVersion != version {
      draft.buffer.appendSnapshotNeeded("the schema was changed through sqliteConnection")
    }
    schemaVersion = version
  }
}
