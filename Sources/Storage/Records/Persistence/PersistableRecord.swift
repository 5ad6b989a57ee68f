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
/// Its records stay as they are when they are stored: constants and class instances will do. See
/// ``MutablePersistableRecord`` for records that learn the id of their row.
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
