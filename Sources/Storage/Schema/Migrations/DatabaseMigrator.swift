/// Brings a database to the schema that a program needs, step by step.
///
/// Each migration runs once in the life of a database, in order and in its own transaction.
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
/// The database stores the names of the applied migrations. So a migration that has shipped must
/// keep its name and its place, and should not change: add another one instead.
///
/// If the process is killed in the middle of a migration, the database remains as it was before
/// that migration. Several processes may migrate one file at the same time: each migration runs in
/// only one of them.
///
/// A migrator is a value type and can be used on any thread.
public struct DatabaseMigrator: Sendable {
  /// The time at which the foreign keys of a migration are checked.
  public enum ForeignKeyChecks: Sendable {
    /// At the end of the migration, in the whole database. Until then foreign keys are not
    /// enforced, so tables can be dropped and rebuilt; nothing is cascaded.
    case deferred
    /// With each statement, as usual.
    case immediate
  }

  /// Whether to erase a database whose schema these migrations did not create, with all its
  /// content, and migrate it from scratch. `false` by default.
  ///
  ///     #if DEBUG
  ///       migrator.eraseDatabaseOnSchemaChange = true
  ///     #endif
  ///
  /// Use it while you write migrations, never for data that must be kept. To detect a difference,
  /// the migrations also run in an empty temporary database.
  public var eraseDatabaseOnSchemaChange = false

  /// Whether to migrate a database that contains migrations unknown to this migrator.
  ///
  /// A later version of the program has migrated such a database. By default this is `false`, and
  /// migrating throws ``MigrationError/databaseIsSuperseded(unknownMigrations:)``.
  public var allowsUnknownMigrations = false

  /// How many seconds a migration waits for another process that writes to the file, in addition to
  /// ``Configuration/busyMode``: 60 by default.
  ///
  /// The other process may be migrating the same file.
  public var lockTimeout: Double = 60

  /// The table that stores the names of the applied migrations.
  public let tableName: String

  private(set) var migrations: [Migration] = []
  private var defersForeignKeyChecks = true

  /// Creates a migrator without migrations.
  ///
  /// - Parameter tableName: The table that stores the names of the applied migrations. Pass
  ///   `grdb_migrations` to continue with a database that GRDB has migrated.
  public init(tableName: String = "wellspring_migrations") {
    self.tableName = tableName
  }

  // MARK: - Registering

  /// Adds a migration after the ones added so far.
  ///
  /// - Parameters:
  ///   - identifier: The name of the migration, which must never change.
  ///   - foreignKeyChecks: When foreign keys are checked.
  ///   - migrate: Changes the database, inside a transaction. When it throws, the migration is
  ///     rolled back, and the migrations after it don't run.
  /// - Precondition: No other migration of the migrator has this name.
  public mutating func registerMigration(
    _ identifier: String,
    foreignKeyChecks: ForeignKeyChecks = .deferred,
    migrate: @escaping @Sendable (Database) throws -> Void
  ) {
    registerMigration(identifier, foreignKeyChecks: foreignKeyChecks, merging: []) { db, _ in
      try migrate(db)
    }
  }

  /// Adds a migration that replaces several old ones, which are no longer registered.
  ///
  ///     migrator.registerMigration("v3", merging: ["v1", "v2"]) { db, applied in
  ///       if !applied.contains("v1") { try createPlayers(db) }
  ///       if !applied.contains("v2") { try addScores(db) }
  ///     }
  ///
  /// - Parameters:
  ///   - identifier: The name of the migration, which must never change.
  ///   - foreignKeyChecks: When foreign keys are checked.
  ///   - mergedIdentifiers: The names of the old migrations.
  ///   - migrate: Changes the database, inside a transaction. It receives the names of those old
  ///     migrations that were applied, and runs even when all of them were.
  /// - Precondition: No other migration of the migrator has one of these names.
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
        The migration "\(identifier)" is registered twice, or merges a registered one: the name of a \
        migration must be unique.
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

  /// Returns a migrator whose migrations, present and future, enforce foreign keys with each
  /// statement.
  ///
  /// This saves the check of the whole database at the end of each migration.
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
