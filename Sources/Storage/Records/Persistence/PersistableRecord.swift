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
