/// One step of a ``DatabaseMigrator``.
struct Migration: Sendable {
  /// How a migration treats foreign keys.
  enum ForeignKeys: Sendable {
    /// They are not enforced, and checked at the end.
    case checkedAtEnd
    /// They are enforced with each statement.
    case enforced
    /// They are neither enforced nor checked.
    case unchecked
  }

  let identifier: String
  let foreignKeys: ForeignKeys
  /// The names of the migrations that this one replaces, without its own name.
  let merged: Set<String>
  let migrate: @Sendable (Database, Set<String>) throws -> Void
}

/// The progress of a ``DatabaseMigrator``.
public struct MigrationProgress: Hashable, Sendable {
  /// The name of the migration that is about to begin or has been committed.
  public let identifier: String

  /// Whether the migration has been committed.
  public let isCompleted: Bool

  /// How many of the pending migrations have been committed, by this call or meanwhile by another
  /// process.
  public let completedCount: Int

  /// How many migrations were pending when the call began.
  public let totalCount: Int
}

/// The reason why a ``DatabaseMigrator`` refuses to migrate a database.
public enum MigrationError: Error, Hashable, Sendable {
  /// The database contains migrations that the migrator does not know: a later version of the
  /// program has migrated it.
  case databaseIsSuperseded(unknownMigrations: [String])

  /// The migrator has no migration with this name.
  case undefinedMigration(String)

  /// The database has already been migrated beyond the requested migration.
  case databaseIsBeyond(String, appliedMigration: String)
}

extension MigrationError: CustomStringConvertible {
  /// A sentence that explains the error.
  public var description: String {
    switch self {
    case .databaseIsSuperseded(let migrations):
      """
      the database was migrated by a later version of this program, with unknown migrations: \
      \(migrations.joined(separator: ", "))
      """
    case .undefinedMigration(let identifier):
      "there is no migration named \(identifier)"
    case .databaseIsBeyond(let target, let applied):
      "the database cannot be migrated back to \(target): \(applied) has been applied"
    }
  }
}
