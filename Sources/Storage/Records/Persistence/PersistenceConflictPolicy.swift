/// What the records of a type do about rows in their way, unless a call says something else.
///
///     static let persistenceConflictPolicy = PersistenceConflictPolicy(insert: .replace, update: .replace)
///     // INSERT OR REPLACE INTO "player" …
public struct PersistenceConflictPolicy: Sendable {
  /// For insertions.
  public let conflictResolutionForInsert: Database.ConflictResolution
  /// For updates.
  public let conflictResolutionForUpdate: Database.ConflictResolution

  /// Makes a policy.
  public init(
    insert: Database.ConflictResolution = .abort,
    update: Database.ConflictResolution = .abort
  ) {
    conflictResolutionForInsert = insert
    conflictResolutionForUpdate = update
  }
}
