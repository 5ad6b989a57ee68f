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
/// keep its name and its position, and should not change: add another one instead.
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
    /// enforced, so tables can be dropped and rebuilt; nothing is cascaded. See also
    /// ``DatabaseMigrator/disablingDeferredForeignKeyChecks()``.
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

  /// The table that stores the names of the applied migrations: ``init()`` and
  /// ``init(tableName:)`` say which one.
  public let tableName: String

  /// Whether a database that GRDB has migrated keeps its own table of migrations.
  let continuesGRDB: Bool

  private(set) var registered: [Migration] = []
  private var checksForeignKeysAtEnd = true

  /// Creates a migrator without migrations, which stores the names of the applied migrations in the
  /// table `wellspring_migrations`.
  ///
  /// In a database that GRDB has migrated, it continues in the table `grdb_migrations`: the
  /// migrations that GRDB has applied do not run again.
  public init() {
    tableName = "wellspring_migrations"
    continuesGRDB = true
  }

  /// Creates a migrator without migrations, which stores the names of the applied migrations in a
  /// table of its own.
  ///
  /// - Parameter tableName: The name of the table.
  public init(tableName: String) {
    self.tableName = tableName
    continuesGRDB = false
  }

  // MARK: - Registering

  /// The names of the registered migrations, in their order.
  public var migrations: [String] { registered.map(\.identifier) }

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
  /// The migration may have a new name, or the name of the last old migration. Where that migration
  /// was applied, it does not run again. In all cases, the database then drops the names of the old
  /// migrations.
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
    merging mergedIdentifiers: Set<String> = [],
    migrate: @escaping @Sendable (_ db: Database, _ applied: Set<String>) throws -> Void
  ) {
    let names = mergedIdentifiers.union([identifier])
    for migration in registered {
      precondition(
        names.isDisjoint(with: migration.merged.union([migration.identifier])),
        """
        The migration "\(identifier)" is registered twice, or merges a registered one: the name of a \
        migration must be unique.
        """
      )
    }
    registered.append(
      Migration(
        identifier: identifier,
        foreignKeys: foreignKeyChecks == .immediate
          ? .enforced : checksForeignKeysAtEnd ? .checkedAtEnd : .unchecked,
        merged: mergedIdentifiers.subtracting([identifier]),
        migrate: migrate
      )
    )
  }

  /// Adds a migration whose foreign keys are checked at its end, as in all migrations by default.
  ///
  /// - Parameters:
  ///   - identifier: The name of the migration, which must never change.
  ///   - migrate: Changes the database, inside a transaction.
  /// - Precondition: No other migration of the migrator has this name.
  @available(*, deprecated, renamed: "registerMigration(_:migrate:)")
  public mutating func registerMigrationWithDeferredForeignKeyCheck(
    _ identifier: String,
    migrate: @escaping @Sendable (Database) throws -> Void
  ) {
    registerMigration(identifier, migrate: migrate)
  }

  /// Returns a migrator whose new migrations are not followed by a check of the foreign keys, which
  /// reads the whole database.
  ///
  ///     migrator = migrator.disablingDeferredForeignKeyChecks()
  ///     migrator.registerMigration("Rebuild players") { db in
  ///       …
  ///       try db.checkForeignKeys(in: "player")
  ///     }
  ///
  /// Foreign keys are not enforced during these migrations, so each must check the references that
  /// it can break. Migrations that are already registered, and immediate checks, remain as they
  /// are.
  public func disablingDeferredForeignKeyChecks() -> DatabaseMigrator {
    var migrator = self
    migrator.checksForeignKeysAtEnd = false
    return migrator
  }
}
