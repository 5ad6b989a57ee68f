/// One step of a ``DatabaseMigrator``.
struct Migration: Sendable {
  let identifier: String
  let foreignKeyChecks: DatabaseMigrator.ForeignKeyChecks
  /// The names of the migrations that this one replaces.
  let merged: Set<String>
  let migrate: @Sendable (Database, Set<String>) throws -> Void
}
