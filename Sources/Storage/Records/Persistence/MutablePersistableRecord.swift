/// A type whose values can be stored as rows of a table, and that is updated with values from the
/// database, such as the id of a new row.
///
///     struct Place: Codable, FetchableRecord, MutablePersistableRecord {
///       var id: Int64?
///       var title: String
///
///       mutating func didInsert(_ inserted: InsertionSuccess) {
///         id = inserted.rowID
///       }
///     }
///     var place = Place(id: nil, title: "Rome")
///     try place.insert(db)
///     // INSERT INTO "place" ("id", "title") VALUES (NULL, 'Rome')
///     print(place.id!)
///
/// See ``PersistableRecord`` for records that do not change when they are stored.
///
/// The callbacks are called in this order: `willSave`, `willInsert` or `willUpdate`, then
/// `aroundSave` around `aroundInsert` or `aroundUpdate`, then `didInsert` or `didUpdate`,
/// `didSave`. When a callback throws, the steps after it do not run. The `did…` callbacks run
/// inside the transaction, which may still be rolled back.
///
/// Callbacks may change the record. The changes of `willSave`, `willInsert` and `willUpdate` are
/// stored. `insert`, `upsert` and a `save` that inserts change the record itself. Methods that do
/// not change the record, such as `update`, `delete` and all methods of a ``PersistableRecord``,
/// call the callbacks of a copy: their changes are lost, unless the record is an object.
///
/// An `around…` callback that does not call its closure, or catches the error of the closure,
/// makes the operation throw ``DatabaseError`` with `SQLITE_MISUSE`.
public protocol MutablePersistableRecord: EncodableRecord, TableRecord {
  /// How conflicts with existing rows are resolved; by default a conflict is an error.
  static var persistenceConflictPolicy: PersistenceConflictPolicy { get }

  /// Called before an insertion.
  mutating func willInsert(_ db: Database) throws
  /// Called around an insertion. It must call `insert` exactly once.
  func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws
  /// Called after an insertion.
  mutating func didInsert(_ inserted: InsertionSuccess)

  /// Called before an update of the given columns.
  mutating func willUpdate(_ db: Database, columns: Set<String>) throws
  /// Called around an update. It must call `update` exactly once.
  func aroundUpdate(
    _ db: Database,
    columns: Set<String>,
    update: () throws -> PersistenceSuccess
  ) throws
  /// Called after an update.
  mutating func didUpdate(_ updated: PersistenceSuccess)

  /// Called before an insertion or an update.
  mutating func willSave(_ db: Database) throws
  /// Called around an insertion or an update. It must call `save` exactly once.
  func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws
  /// Called after an insertion or an update.
  mutating func didSave(_ saved: PersistenceSuccess)

  /// Called before a deletion.
  mutating func willDelete(_ db: Database) throws
  /// Called around a deletion. It must call `delete` exactly once.
  func aroundDelete(_ db: Database, delete: () throws -> Bool) throws
  /// Called after a deletion. `deleted` is whether there was a row.
  mutating func didDelete(deleted: Bool)
}

extension MutablePersistableRecord {
  /// A conflict is an error, for insertions and updates.
  public static var persistenceConflictPolicy: PersistenceConflictPolicy {
    PersistenceConflictPolicy()
  }

  /// Does nothing.
  @inlinable
  public mutating func willInsert(_ db: Database) throws {}
  /// Calls `insert`.
  @inlinable
  public func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
    _ = try insert()
  }
  /// Does nothing.
  @inlinable
  public mutating func didInsert(_ inserted: InsertionSuccess) {}

  /// Does nothing.
  public mutating func willUpdate(_ db: Database, columns: Set<String>) throws {}
  /// Calls `update`.
  public func aroundUpdate(
    _ db: Database,
    columns: Set<String>,
    update: () throws -> PersistenceSuccess
  ) throws {
    _ = try update()
  }
  /// Does nothing.
  public mutating func didUpdate(_ updated: PersistenceSuccess) {}

  /// Does nothing.
  @inlinable
  public mutating func willSave(_ db: Database) throws {}
  /// Calls `save`.
  @inlinable
  public func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
    _ = try save()
  }
  /// Does nothing.
  @inlinable
  public mutating func didSave(_ saved: PersistenceSuccess) {}

  /// Does nothing.
  public mutating func willDelete(_ db: Database) throws {}
  /// Calls `delete`.
  public func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {
    _ = try delete()
  }
  /// Does nothing.
  public mutating func didDelete(deleted: Bool) {}
}

/// A type whose values can be stored as rows of a table.
///
///     struct Item: Codable, FetchableRecord, PersistableRecord {
///       var id: Int64
///       var name: String
///     }
///     try pool.write { db in
///       try Item(id: 1, name: "cup").insert(db)
///     }
///     // INSERT INTO "item" ("id", "name") VALUES (1, 'cup')
///
/// Storing a record does not change it, so constants and class instances can be stored. See
/// ``MutablePersistableRecord`` for records that receive the id of their row: a `didInsert` that is
/// `mutating` changes a copy here.
public protocol PersistableRecord: MutablePersistableRecord {
  /// Called before an insertion.
  func willInsert(_ db: Database) throws
  /// Called after an insertion.
  func didInsert(_ inserted: InsertionSuccess)
}

extension PersistableRecord {
  /// Does nothing.
  @inlinable
  public func willInsert(_ db: Database) throws {}
  /// Does nothing.
  @inlinable
  public func didInsert(_ inserted: InsertionSuccess) {}
}

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
