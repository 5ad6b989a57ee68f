/// One step of a ``DatabaseMigrator``.
struct Migration: Sendable {
  let identifier: String
  let foreignKeyChecks: DatabaseMigrator.ForeignKeyChecks
  /// The migrations that this one stands for.
  let merged: Set<String>
  let migrate: @Sendable (Database, Set<String>) throws -> Void
}

/// How far a ``DatabaseMigrator`` has come.
public struct MigrationProgress: Hashable, Sendable {
  /// The migration that is about to begin, or has been committed.
  public let identifier: String

  /// Whether that migration has been committed.
  public let isCompleted: Bool

  /// How many migrations have been committed by this call, or by another process meanwhile.
  public let completedCount: Int

  /// How many there were to do when it began.
  public let totalCount: Int
}

/// Why a ``DatabaseMigrator`` leaves a database as it is.
public enum MigrationError: Error, Hashable, Sendable {
  /// The database holds migrations that the migrator does not know: a later version of the program has
  /// migrated it.
  case databaseIsSuperseded(unknownMigrations: [String])

  /// The migrator has no migration of this name.
  case undefinedMigration(String)

  /// The database has been migrated further than it should be.
  case databaseIsBeyond(String, appliedMigration: String)
}

extension MigrationError: CustomStringConvertible {
  /// A sentence that says what is wrong.
  public var description: String {
    switch self {
    case .databaseIsSuperseded(let migrations):
      """
      the database was migrated by a later version of this program, which this version does not know: \
      \(migrations.joined(separator: ", "))
      """
    case .undefinedMigration(let identifier):
      "no migration is called \(identifier)"
    case .databaseIsBeyond(let target, let applied):
      "the database cannot be migrated back to \(target): \(applied) has been applied"
    }
  }
}
