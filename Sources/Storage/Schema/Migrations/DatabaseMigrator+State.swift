// What a database says of its migrations.

extension DatabaseMigrator {
  /// The names of the migrations that were applied, unknown ones included.
  ///
  ///     let names = try pool.read(migrator.appliedIdentifiers)
  ///
  /// - Throws: ``DatabaseError``.
  public func appliedIdentifiers(_ db: Database) throws -> Set<String> {
    guard try db.tableExists(tableName, in: "main") else { return [] }
    return try String.fetchSet(
      db,
      sql: "SELECT identifier FROM main.\(tableName.quotedDatabaseIdentifier)"
    )
  }

  /// The names of the migrations of this migrator that were applied, in order.
  ///
  /// - Throws: ``DatabaseError``.
  public func appliedMigrations(_ db: Database) throws -> [String] {
    let applied = try appliedIdentifiers(db)
    return migrations.map(\.identifier).filter(applied.contains)
  }

  /// The names of the migrations of this migrator that were applied, up to the first one that was not.
  ///
  /// - Throws: ``DatabaseError``.
  public func completedMigrations(_ db: Database) throws -> [String] {
    let applied = try appliedIdentifiers(db)
    return Array(migrations.map(\.identifier).prefix(while: applied.contains))
  }

  /// Whether all migrations of this migrator were applied.
  ///
  ///     guard try pool.read(migrator.hasCompletedMigrations) else { throw ServiceIsTooNew() }
  ///
  /// - Throws: ``DatabaseError``.
  public func hasCompletedMigrations(_ db: Database) throws -> Bool {
    try completedMigrations(db).count == migrations.count
  }

  /// Whether the database holds migrations that this migrator does not know: a later version of the program
  /// has migrated it.
  ///
  ///     if try pool.read(migrator.hasBeenSuperseded) { throw ServiceIsTooOld() }
  ///
  /// - Throws: ``DatabaseError``.
  public func hasBeenSuperseded(_ db: Database) throws -> Bool {
    try !unknownIdentifiers(db).isEmpty
  }

  /// Whether the schema is another one than that which the applied migrations make.
  ///
  /// They run in an empty temporary database to find out.
  ///
  /// - Throws: ``DatabaseError``, and what a migration throws.
  public func hasSchemaChanges(_ db: Database) throws -> Bool {
    if try hasBeenSuperseded(db) { return true }
    guard let last = try appliedMigrations(db).last else { return false }
    var configuration = db.configuration
    configuration.readonly = false
    configuration.journalMode = .default
    // The queue of this access would wait for itself.
    configuration.targetQueue = nil
    let witness = try DatabaseQueue(.temporary, configuration: configuration)
    return try witness.writeWithoutTransaction { witness in
      try runMigrations(witness, upTo: last) { _ in }
      return try schema(witness) != schema(db)
    }
  }

  /// What the migrations have made.
  private func schema(_ db: Database) throws -> Set<SchemaObject> {
    let objects = try db.schemaObjects()
    return Set(objects.filter { $0.tableName.asciiLowercased != tableName.asciiLowercased })
  }

  func unknownIdentifiers(_ db: Database) throws -> [String] {
    let known = migrations.reduce(into: Set<String>()) { known, migration in
      known.formUnion(migration.merged)
      known.insert(migration.identifier)
    }
    return try appliedIdentifiers(db).subtracting(known).sorted()
  }
}
