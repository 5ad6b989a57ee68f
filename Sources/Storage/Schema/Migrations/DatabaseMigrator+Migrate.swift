internal import Dispatch
internal import WellspringSystem

extension DatabaseMigrator {
  /// Runs the migrations that have not been applied, on the calling thread.
  ///
  ///     try migrator.migrate(pool) { progress in
  ///       print(progress.identifier, progress.completedCount, "of", progress.totalCount)
  ///     }
  ///
  /// Each migration is a transaction that takes the write lock before it checks which migrations
  /// were applied. It waits for other processes: see ``lockTimeout``. Reads through the same pool
  /// wait until the migrations have run; when there is nothing to do, nothing waits.
  ///
  /// Observations continue: they deliver the results of their queries in the new schema, or the
  /// error of a query that no longer works.
  ///
  /// - Parameters:
  ///   - writer: The database.
  ///   - identifier: The last migration to run; all migrations by default.
  ///   - progress: Called before and after each migration. When it throws, the remaining migrations
  ///     do not run.
  /// - Precondition: The calling thread is not inside an access to the same database.
  /// - Throws: Any error of a migration, after which the database is in the state before that
  ///   migration: the message of a ``DatabaseError`` names the migration. ``MigrationError`` when
  ///   the database is ahead of the migrator; ``DatabaseError`` with `SQLITE_CONSTRAINT_FOREIGNKEY`
  ///   when a migration leaves rows that refer to missing rows.
  public func migrate(
    _ writer: some DatabaseWriter,
    upTo identifier: String? = nil,
    progress: (MigrationProgress) throws -> Void = { _ in }
  ) throws {
    guard try writer.read({ db in try mustRun(db, upTo: identifier) }) else { return }
    try writer.barrierWriteWithoutTransaction { db in
      try eraseIfChanged(db)
      try runMigrations(db, upTo: identifier, progress)
    }
  }

  /// Runs the migrations that have not been applied, without blocking the calling thread.
  ///
  /// Otherwise it behaves like the synchronous method of the same name.
  ///
  /// - Throws: The errors of the synchronous method, or `CancellationError`: the running migration
  ///   is rolled back, and those before it are kept.
  public func migrate(
    _ writer: some DatabaseWriter,
    upTo identifier: String? = nil,
    progress: @escaping @Sendable (MigrationProgress) throws -> Void = { _ in }
  ) async throws {
    guard try await writer.read({ db in try mustRun(db, upTo: identifier) }) else { return }
    try await writer.barrierWriteWithoutTransaction { db in
      try eraseIfChanged(db)
      try runMigrations(db, upTo: identifier, progress)
    }
  }

  /// Runs the migrations that have not been applied, and calls a closure when done.
  ///
  /// - Parameters:
  ///   - writer: The database.
  ///   - completion: Called on another thread, inside the access, with the connection or with the
  ///     error.
  public func asyncMigrate(
    _ writer: some DatabaseWriter,
    completion: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    writer.asyncBarrierWriteWithoutTransaction { result in
      completion(
        result.flatMap { db in
          Result {
            try eraseIfChanged(db)
            try runMigrations(db, upTo: nil) { _ in }
            return db
          }
        }
      )
    }
  }

  // MARK: - Running

  /// Whether migrations may be pending, so that the write lock is needed to check again.
  private func mustRun(_ db: Database, upTo identifier: String?) throws -> Bool {
    if eraseDatabaseOnSchemaChange { return true }
    return try !pendingMigrations(db, upTo: identifier).isEmpty || !obsoleteIdentifiers(db).isEmpty
  }

  /// Returns the migrations that have not been applied.
  ///
  /// - Throws: ``MigrationError`` when the database is ahead of the migrator.
  private func pendingMigrations(_ db: Database, upTo identifier: String?) throws -> [Migration] {
    let unknown = try unknownIdentifiers(db)
    guard unknown.isEmpty || allowsUnknownMigrations else {
      throw MigrationError.databaseIsSuperseded(unknownMigrations: unknown)
    }
    let applied = try appliedIdentifiers(db)
    var wanted = registered[...]
    if let identifier {
      guard let index = registered.firstIndex(where: { $0.identifier == identifier }) else {
        throw MigrationError.undefinedMigration(identifier)
      }
      wanted = registered[...index]
      let beyond = registered[(index + 1)...].last { applied.contains($0.identifier) }
      if let beyond {
        throw MigrationError.databaseIsBeyond(identifier, appliedMigration: beyond.identifier)
      }
    }
    return wanted.filter { !applied.contains($0.identifier) }
  }

  func runMigrations(
    _ db: Database,
    upTo identifier: String?,
    _ progress: (MigrationProgress) throws -> Void
  ) throws {
    let pending = try pendingMigrations(db, upTo: identifier)
    for (index, migration) in pending.enumerated() {
      func report(isCompleted: Bool) throws {
        try progress(
          MigrationProgress(
            identifier: migration.identifier,
            isCompleted: isCompleted,
            completedCount: index + (isCompleted ? 1 : 0),
            totalCount: pending.count
          )
        )
      }
      try report(isCompleted: false)
      switch migration.foreignKeys {
      case .enforced: try run(migration, db, checksForeignKeys: false)
      case .unchecked:
        try db.withoutForeignKeys { try run(migration, db, checksForeignKeys: false) }
      case .checkedAtEnd:
        let isEnforced = try db.enforcesForeignKeys
        try db.withoutForeignKeys { try run(migration, db, checksForeignKeys: isEnforced) }
      }
      try report(isCompleted: true)
    }
    guard try !obsoleteIdentifiers(db).isEmpty else { return }
    try lockedTransaction(db) {
      try forget(obsoleteIdentifiers(db), db)
      return .commit
    }
  }

  private func run(_ migration: Migration, _ db: Database, checksForeignKeys: Bool) throws {
    try lockedTransaction(db) {
      // Another process may have applied the migration while this one waited for the lock.
      let pending = try pendingMigrations(db, upTo: nil)
      guard pending.contains(where: { $0.identifier == migration.identifier }) else {
        return .commit
      }
      let applied = try appliedIdentifiers(db)
      do {
        try db.withSchemaSource(nil) {
          try migration.migrate(db, applied.intersection(migration.merged))
        }
        guard db.isInsideTransaction else {
          throw DatabaseError(
            resultCode: .SQLITE_MISUSE,
            message: "the migration has ended its transaction"
          )
        }
        if checksForeignKeys { try db.checkForeignKeys() }
      } catch let error as DatabaseError {
        throw error.naming(migration)
      } catch let error where error is RowDecodingError || error is RecordError {
        throw DatabaseError(
          resultCode: .SQLITE_ABORT,
          message: "migration \(migration.identifier) failed",
          sqlOffset: nil,
          showsArguments: false,
          underlyingError: error
        )
      }
      try markAsApplied(migration, db)
      return .commit
    }
  }

  /// Runs a transaction that takes the write lock when it begins, and retries for ``lockTimeout``
  /// seconds while another connection holds the lock.
  func lockedTransaction(
    _ db: Database,
    _ body: () throws -> Database.TransactionCompletion
  ) throws {
    let deadline = DispatchTime.now() + lockTimeout
    var hasBegun = false
    while true {
      do {
        return try db.inTransaction(.immediate) {
          hasBegun = true
          return try body()
        }
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && !hasBegun && DispatchTime.now() < deadline
      {
        CurrentThread.pause(microseconds: 10_000)
      }
    }
  }

  /// Records that a migration was applied.
  private func markAsApplied(_ migration: Migration, _ db: Database) throws {
    let name = try table(in: db)
    let table = "main.\(name.quotedDatabaseIdentifier)"
    if try !db.tableExists(name, in: "main") {
      try db.run(sql: "CREATE TABLE \(table) (identifier TEXT NOT NULL PRIMARY KEY)")
    }
    try forget(migration.merged, db)
    try db.execute(
      sql: "INSERT INTO \(table) (identifier) VALUES (?)",
      arguments: [migration.identifier]
    )
  }

  /// Removes the names of migrations that were merged into another one.
  private func forget(_ identifiers: Set<String>, _ db: Database) throws {
    let table = "main.\(try table(in: db).quotedDatabaseIdentifier)"
    for identifier in identifiers {
      try db.execute(sql: "DELETE FROM \(table) WHERE identifier = ?", arguments: [identifier])
    }
  }
}

extension DatabaseError {
  /// Returns the error with the name of the migration in its message.
  fileprivate func naming(_ migration: Migration) -> DatabaseError {
    DatabaseError(
      resultCode: extendedResultCode,
      message: "migration \(migration.identifier): \(message ?? extendedResultCode.description)",
      sql: sql,
      sqlOffset: sqlOffset,
      arguments: arguments,
      showsArguments: showsArguments,
      underlyingError: underlyingError
    )
  }
}
