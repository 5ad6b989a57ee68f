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
