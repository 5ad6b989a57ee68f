/// A type whose values can be stored as rows of a table, and that learns what the database makes of them,
/// such as the id of a new row.
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
/// See ``PersistableRecord`` for records that don't change.
///
/// The callbacks come in this order: `willSave`, `willInsert` or `willUpdate`, then `aroundSave` around
/// `aroundInsert` or `aroundUpdate`, then `didInsert` or `didUpdate`, `didSave`. An error that one of the
/// first ones throws prevents what follows. The `did…` callbacks run in the transaction, which may still be
/// rolled back.
public protocol MutablePersistableRecord: EncodableRecord, TableRecord {
  /// What happens about rows in the way: an error, unless stated.
  static var persistenceConflictPolicy: PersistenceConflictPolicy { get }

  /// Called before an insertion.
  mutating func willInsert(_ db: Database) throws
  /// Called around an insertion. It must call `insert`, once.
  func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws
  /// Called after an insertion.
  mutating func didInsert(_ inserted: InsertionSuccess)

  /// Called before an update of some columns.
  func willUpdate(_ db: Database, columns: Set<String>) throws
  /// Called around an update. It must call `update`, once.
  func aroundUpdate(
    _ db: Database,
    columns: Set<String>,
    update: () throws -> PersistenceSuccess
  ) throws
  /// Called after an update.
  func didUpdate(_ updated: PersistenceSuccess)

  /// Called before an insertion or an update.
  func willSave(_ db: Database) throws
  /// Called around an insertion or an update. It must call `save`, once.
  func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws
  /// Called after an insertion or an update.
  func didSave(_ saved: PersistenceSuccess)

  /// Called before a deletion.
  func willDelete(_ db: Database) throws
  /// Called around a deletion. It must call `delete`, once.
  func aroundDelete(_ db: Database, delete: () throws -> Bool) throws
  /// Called after a deletion, with whether there was a row.
  func didDelete(deleted: Bool)
}

extension MutablePersistableRecord {
  /// An error, for insertions and updates.
  public static var persistenceConflictPolicy: PersistenceConflictPolicy {
    PersistenceConflictPolicy()
  }

  /// Does nothing.
  @inlinable
  public mutating func willInsert(_ db: Database) throws {}
  /// Inserts.
  @inlinable
  public func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
    _ = try insert()
  }
  /// Does nothing.
  @inlinable
  public mutating func didInsert(_ inserted: InsertionSuccess) {}

  /// Does nothing.
  public func willUpdate(_ db: Database, columns: Set<String>) throws {}
  /// Updates.
  public func aroundUpdate(
    _ db: Database,
    columns: Set<String>,
    update: () throws -> PersistenceSuccess
  ) throws {
    _ = try update()
  }
  /// Does nothing.
  public func didUpdate(_ updated: PersistenceSuccess) {}

  /// Does nothing.
  @inlinable
  public func willSave(_ db: Database) throws {}
  /// Saves.
  @inlinable
  public func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
    _ = try save()
  }
  /// Does nothing.
  @inlinable
  public func didSave(_ saved: PersistenceSuccess) {}

  /// Does nothing.
  public func willDelete(_ db: Database) throws {}
  /// Deletes.
  public func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {
    _ = try delete()
  }
  /// Does nothing.
  public func didDelete(deleted: Bool) {}
}
