internal import FoundationEssentials

// Which migrations a database has applied.

extension DatabaseMigrator {
  /// Returns the names of all applied migrations, including migrations that this migrator does not
  /// know.
  ///
  ///     let names = try pool.read(migrator.appliedIdentifiers)
  ///
  /// - Throws: ``DatabaseError``.
  public func appliedIdentifiers(_ db: Database) throws -> Set<String> {
    let table = try table(in: db)
    guard try db.tableExists(table, in: "main") else { return [] }
    return try String.fetchSet(
      db,
      sql: "SELECT identifier FROM main.\(table.quotedDatabaseIdentifier)"
    )
  }

  /// Returns the names of this migrator's migrations that were applied, in order.
  ///
  /// - Throws: ``DatabaseError``.
  public func appliedMigrations(_ db: Database) throws -> [String] {
    let applied = try appliedIdentifiers(db)
    return migrations.filter(applied.contains)
  }

  /// Returns the names of this migrator's applied migrations, up to the first one that was not
  /// applied.
  ///
  /// - Throws: ``DatabaseError``.
  public func completedMigrations(_ db: Database) throws -> [String] {
    let applied = try appliedIdentifiers(db)
    return Array(migrations.prefix(while: applied.contains))
  }

  /// Returns whether all migrations of this migrator were applied.
  ///
  ///     guard try pool.read(migrator.hasCompletedMigrations) else { throw ServiceIsTooNew() }
  ///
  /// - Throws: ``DatabaseError``.
  public func hasCompletedMigrations(_ db: Database) throws -> Bool {
    try completedMigrations(db).count == migrations.count
  }

  /// Returns whether the database has applied migrations that this migrator does not know.
  ///
  /// In that case, a later version of the program has migrated it. Migrations that a registered one
  /// merges are known.
  ///
  ///     if try pool.read(migrator.hasBeenSuperseded) { throw ServiceIsTooOld() }
  ///
  /// - Throws: ``DatabaseError``.
  public func hasBeenSuperseded(_ db: Database) throws -> Bool {
    try !unknownIdentifiers(db).isEmpty
  }

  /// Returns whether the schema differs from the schema that the applied migrations create.
  ///
  /// To find out, the applied migrations run in an empty database in a temporary file. Where no
  /// file can be made, they run in a temporary database of SQLite.
  ///
  /// - Throws: ``DatabaseError``, and any error of a migration.
  public func hasSchemaChanges(_ db: Database) throws -> Bool {
    if try hasBeenSuperseded(db) { return true }
    guard let last = try appliedMigrations(db).last else { return false }
    var configuration = db.configuration
    configuration.readonly = false
    configuration.journalMode = .default
    // The queue of this access would otherwise wait for itself.
    configuration.targetQueue = nil
    return try Self.withTemporaryFile { location in
      let witness = try DatabaseQueue(location, configuration: configuration)
      defer { try? witness.close() }
      return try witness.writeWithoutTransaction { witness in
        try runMigrations(witness, upTo: last) { _ in }
        return try schema(witness) != schema(db)
      }
    }
  }

  /// Runs a closure with the location of a file that it may make, and that is deleted afterwards.
  /// The closures that prepare connections may need a file.
  private static func withTemporaryFile<Result>(
    _ body: (DatabaseLocation) throws -> Result
  ) throws -> Result {
    let directory = FileManager.default.temporaryDirectory.path + "/wellspring-\(UUID().uuidString)"
    do {
      try FileManager.default.createDirectory(
        atPath: directory,
        withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700]
      )
    } catch {
      return try body(.temporary)
    }
    defer { try? FileManager.default.removeItem(atPath: directory) }
    return try body(.file(directory + "/migrated.sqlite"))
  }

  /// The schema objects, without the objects of the migration table.
  private func schema(_ db: Database) throws -> Set<SchemaObject> {
    let table = try table(in: db).asciiLowercased
    return Set(try db.schemaObjects().filter { $0.tableName.asciiLowercased != table })
  }

  /// The name of the table that stores, or will store, the names of the applied migrations.
  func table(in db: Database) throws -> String {
    let grdb = "grdb_migrations"
    guard continuesGRDB, try !db.tableExists(tableName, in: "main") else { return tableName }
    return try db.tableExists(grdb, in: "main") ? grdb : tableName
  }

  func unknownIdentifiers(_ db: Database) throws -> [String] {
    let known = registered.reduce(into: Set<String>()) { known, migration in
      known.formUnion(migration.merged)
      known.insert(migration.identifier)
    }
    return try appliedIdentifiers(db).subtracting(known).sorted()
  }

  /// Returns the names that were merged into migrations that have been applied.
  func obsoleteIdentifiers(_ db: Database) throws -> Set<String> {
    let applied = try appliedIdentifiers(db)
    let merged = registered.filter { applied.contains($0.identifier) }.flatMap(\.merged)
    return applied.intersection(merged)
  }
}

extension DatabaseMigrator {
  /// Drops everything when the schema differs from the schema that the migrations create, if
  /// ``eraseDatabaseOnSchemaChange`` is set.
  func eraseIfChanged(_ db: Database) throws {
    guard eraseDatabaseOnSchemaChange else { return }
    try db.withoutForeignKeys {
      try lockedTransaction(db) {
        if try hasSchemaChanges(db) { try db.dropAll() }
        return .commit
      }
    }
  }
}

extension Database {
  /// Drops everything in `main`, in the current transaction.
  fileprivate func dropAll() throws {
    for view in try schemaObjects(.view) { try drop(view: view.name) }
    // Virtual tables go first, because they drop the tables that store their data.
    for isVirtual in [true, false] {
      for table in try schemaObjects(.table) where try tableExists(table.name, in: "main") {
        let kind = try tableInfo(table.name, in: "main").kind
        if (kind == .virtual) == isVirtual { try drop(table: table.name) }
      }
    }
    try setUserVersion(0)
  }
}

extension Database {
  /// A number in the file that SQLite leaves to the application: 0 unless set.
  ///
  ///     if try db.userVersion == 0 {
  ///       try db.create(table: "player") { t in t.autoIncrementedPrimaryKey("id") }
  ///       try db.setUserVersion(1)
  ///     }
  ///     // PRAGMA user_version
  ///
  /// It is independent of ``DatabaseMigrator``, which identifies migrations by name.
  ///
  /// - Throws: ``DatabaseError``.
  public var userVersion: Int {
    get throws { try Int.fetchOne(self, sql: "PRAGMA user_version") ?? 0 }
  }

  /// Sets the number that SQLite leaves to the application. The change is part of the current
  /// transaction.
  ///
  ///     try db.setUserVersion(1)
  ///     // PRAGMA user_version = 1
  ///
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when the number does not fit in 32 bits.
  public func setUserVersion(_ version: Int) throws {
    guard let version = Int32(exactly: version) else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: "the user version \(version) does not fit in 32 bits"
      )
    }
    try run(sql: "PRAGMA user_version = \(version)")
  }
}
