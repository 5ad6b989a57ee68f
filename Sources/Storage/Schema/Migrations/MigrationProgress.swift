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
