/// How the records of a type resolve conflicts with existing rows, unless a call specifies it.
///
///     struct Place: Codable, PersistableRecord {
///       static let persistenceConflictPolicy = PersistenceConflictPolicy(
///         insert: .replace,
///         update: .replace
///       )
///       var name: String
///     }
///     try Place(name: "Rome").insert(db)
///     // INSERT OR REPLACE INTO "place" …
public struct PersistenceConflictPolicy: Sendable {
  /// The conflict resolution for insertions.
  public let conflictResolutionForInsert: Database.ConflictResolution
  /// The conflict resolution for updates.
  public let conflictResolutionForUpdate: Database.ConflictResolution

  /// Creates a policy.
  public init(
    insert: Database.ConflictResolution = .abort,
    update: Database.ConflictResolution = .abort
  ) {
    conflictResolutionForInsert = insert
    conflictResolutionForUpdate = update
  }

  /// Returns the policy of a record type; the default policy for another type.
  static func of<RowDecoder>(_ type: RowDecoder.Type) -> PersistenceConflictPolicy {
    (type as? any MutablePersistableRecord.Type)?.persistenceConflictPolicy
      ?? PersistenceConflictPolicy()
  }
}
