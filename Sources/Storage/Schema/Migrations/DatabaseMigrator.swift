/// Brings a database to the schema that a program needs, step by step: each migration runs once in the life of
/// a database, in order, in a transaction of its own.
///
///     var migrator = DatabaseMigrator()
///     migrator.registerMigration("Create players") { db in
///       try db.create(table: "player") { t in
///         t.autoIncrementedPrimaryKey("id")
///         t.column("name", .text).notNull()
///       }
///     }
///     migrator.registerMigration("Add scores") { db in
///       try db.alter(table: "player") { t in
///         t.add(column: "score", .integer).notNull().defaults(to: 0)
///       }
///     }
///     try migrator.migrate(pool)
///
/// Which migrations were applied is kept in the database, by their names. So a migration that has been shipped
/// must keep its name and its place, and should not change: add another one.
///
/// A process that is killed in the middle of a migration leaves the database as it was before that migration.
/// Several processes may migrate one file at once: each migration runs in one of them only.
///
/// A migrator is a value, and can be used on all threads.
public struct DatabaseMigrator: Sendable {
  /// When the foreign keys of a migration are checked.
  public enum ForeignKeyChecks: Sendable {
    /// At its end, in the whole database: meanwhile foreign keys are not enforced, so that tables can be
    /// dropped and rebuilt. Nothing is cascaded.
    case deferred
    /// With each statement, as everywhere else.
    case immediate
  }

  /// Whether a database that was made by other migrations than these is erased, with all of its content, and
  /// migrated from scratch. `false` unless set.
  ///
  ///     #if DEBUG
  ///       migrator.eraseDatabaseOnSchemaChange = true
  ///     #endif
  ///
  /// It is for the time in which migrations are written, and never for data that somebody needs. To find out,
  /// the migrations run in an empty temporary database too.
  public var eraseDatabaseOnSchemaChange = false

  /// Whether a database is migrated that holds migrations which the migrator does not know. `false` unless
  /// set: such a database is the work of a later version of the program, and is refused with
  /// ``MigrationError/databaseIsSuperseded(unknownMigrations:)``.
  public var allowsUnknownMigrations = false

  /// For how many seconds a migration waits for another process that writes, and may be migrating the same
  /// file, beyond what ``Configuration/busyMode`` says: 60 unless changed.
  public var lockTimeout: Double = 60

  /// The table that holds the names of the applied migrations.
  public let tableName: String

  private(set) var migrations: [Migration] = []
  private var defersForeignKeyChecks = true

  /// Makes a migrator without migrations.
  ///
  /// - Parameter tableName: The table that holds the names of the applied migrations. `grdb_migrations` goes on
  ///   with a database that GRDB has migrated.
  public init(tableName: String = "wellspring_migrations") {
    self.tableName = tableName
  }

  // MARK: - Registering

  /// Adds a migration after those that were added before.
  ///
  /// - Parameters:
  ///   - identifier: The name of the migration, which must stay the same forever.
  ///   - foreignKeyChecks: When foreign keys are checked.
  ///   - migrate: Changes the database, in a transaction. When it throws, nothing of the migration is kept,
  ///     and those after it don't run.
  /// - Precondition: No other migration of the migrator has the name.
  public mutating func registerMigration(
    _ identifier: String,
    foreignKeyChecks: ForeignKeyChecks = .deferred,
    migrate: @escaping @Sendable (Database) throws -> Void
  ) {
    registerMigration(identifier, foreignKeyChecks: foreignKeyChecks, merging: []) { db, _ in
      try migrate(db)
    }
  }

  /// Adds a migration that stands for several old ones, which are no longer registered.
  ///
  ///     migrator.registerMigration("v3", merging: ["v1", "v2"]) { db, applied in
  ///       if !applied.contains("v1") { try createPlayers(db) }
  ///       if !applied.contains("v2") { try addScores(db) }
  ///     }
  ///
  /// - Parameters:
  ///   - identifier: The name of the migration, which must stay the same forever.
  ///   - foreignKeyChecks: When foreign keys are checked.
  ///   - mergedIdentifiers: The names of the old migrations.
  ///   - migrate: Changes the database, in a transaction. It is told which of the old migrations were applied,
  ///     and runs also when all of them were.
  /// - Precondition: No other migration of the migrator has one of the names.
  public mutating func registerMigration(
    _ identifier: String,
    foreignKeyChecks: ForeignKeyChecks = .deferred,
    merging mergedIdentifiers: Set<String>,
    migrate: @escaping @Sendable (Database, Set<String>) throws -> Void
  ) {
    let names = mergedIdentifiers.union([identifier])
    for migration in migrations {
      precondition(
        names.isDisjoint(with: migration.merged.union([migration.identifier])),
        """
        The migration "\(identifier)" is registered twice, or merges one that is registered: each \
        migration has a name of its own.
        """
      )
    }
    migrations.append(
      Migration(
        identifier: identifier,
        foreignKeyChecks: defersForeignKeyChecks ? foreignKeyChecks : .immediate,
        merged: mergedIdentifiers,
        migrate: migrate
      )
    )
  }

  /// A migrator whose migrations enforce foreign keys with each statement, those that are registered from now
  /// on and those before. It saves the check of the whole database at the end of each migration.
  public func disablingDeferredForeignKeyChecks() -> DatabaseMigrator {
    var migrator = self
    migrator.defersForeignKeyChecks = false
    migrator.migrations = migrations.map { migration in
      Migration(
        identifier: migration.identifier,
        foreignKeyChecks: .immediate,
        merged: migration.merged,
        migrate: migration.migrate
      )
    }
    return migrator
  }
}
