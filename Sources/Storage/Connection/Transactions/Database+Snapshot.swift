internal import WellspringSystem

extension Database {
  /// Runs a closure in a transaction that sees one state of the database.
  ///
  /// A snapshot is always in such a transaction. A watcher first waits until no rollback journal
  /// exists, because its read would make the commit of another process fail.
  ///
  /// - Parameters:
  ///   - takesSnapshot: Whether the snapshot of a file is taken immediately, and not by the first
  ///     read of `value`: `BEGIN DEFERRED` takes none.
  ///   - willCommit: Called when `value` has returned.
  ///   - value: The closure to run.
  /// - Returns: The result of `value`.
  /// - Throws: The errors of `value` and `willCommit`, or ``DatabaseError``.
  func readTransaction<Value>(
    takesSnapshot: Bool = true,
    willCommit: () throws -> Void = {},
    _ value: () throws -> Value
  ) throws -> Value {
    switch role {
    case .snapshot:
      try requireSnapshot()
      return try value()
    case .watcher: try JournalGate.waitUntilOpen(path: path, cancellation)
    case .reader, .writer, .unlockedWatcher, .restingWatcher, .passiveWatcher: break
    }
    return try withTransaction(.deferred, willCommit: willCommit) {
      if takesSnapshot, location.isFile || !attached.isEmpty { try takeSnapshot() }
      return (.commit, try value())
    }
  }
}

extension Database {
  /// Checks that the transaction of a snapshot is open. SQLite ends it after some errors of reads
  /// too, such as when memory or the disk of temporary files is full.
  ///
  /// - Throws: ``DatabaseError``, because a read would show the present state.
  func requireSnapshot() throws {
    guard role == .snapshot, !isInsideTransaction else { return }
    throw DatabaseError(
      resultCode: .SQLITE_ABORT,
      message:
        "the snapshot was lost: SQLite ended its transaction after an error; make another one"
    )
  }

  /// Takes the snapshot of the running transaction, by a first read of all databases of the
  /// connection.
  func takeSnapshot() throws {
    try versions.takeSnapshots(onSchemaChange: reloadSchemas)
  }

  /// Finds out whether other connections have changed a schema, if that can change the meaning of a
  /// compiled statement: when databases are attached.
  func checkSchemasOfAttached() throws {
    if !attached.isEmpty { try takeSnapshot() }
  }

  /// Makes SQLite compile all statements of the connection again before their next run, because
  /// names in them may have another meaning now. Running statements are not affected.
  func expireStatements() { authorizer.install(on: sqliteConnection) }

  /// Makes SQLite reread the schemas, and resolve names again.
  ///
  /// SQLite compiles a statement with the schema that it has cached, and detects only when the
  /// statement runs that this schema is outdated. It rereads the schema after an unknown table or
  /// column, but other errors, such as too few columns in a part of a `UNION`, would repeat
  /// forever. And a new table hides tables of the same name in databases that were attached later.
  /// A compiled statement does not detect that, because it checks the schemas only of the databases
  /// that it uses.
  private func reloadSchemas() throws {
    let attachedNames = attached.names
    if Fault.isOn(.namesake), !attachedNames.isEmpty { return }
    if !attachedNames.isEmpty { expireStatements() }
    for name in ["main"] + attachedNames {
      let schema = name.quotedDatabaseIdentifier
      try makeStatement(sql: "SELECT 1 FROM \(schema).sqlite_schema LIMIT 1").execute()
    }
  }
}
