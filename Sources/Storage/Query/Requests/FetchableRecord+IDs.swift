// An optional `ID`, as with `var id: Int64?`, has two forms of each function for several keys:
// `ids` can be a sequence of `Int64?`, or of `Int64`.

extension FetchableRecord where Self: TableRecord & Identifiable, ID: DatabaseValueConvertible {
  /// Fetches the record with the given primary key, or `nil` if no row has it.
  ///
  ///     let player = try Player.fetchOne(db, id: 1)
  ///     // SELECT * FROM "player" WHERE "id" = 1
  public static func fetchOne(_ db: Database, id: ID) throws -> Self? {
    try fetchOne(db, key: id)
  }

  /// Fetches the record with the given primary key.
  ///
  ///     let player = try Player.find(db, id: 1)
  ///     // SELECT * FROM "player" WHERE "id" = 1
  ///
  /// - Throws: ``RecordError/recordNotFound(databaseTableName:key:)`` when no row has it.
  public static func find(_ db: Database, id: ID) throws -> Self {
    try find(db, key: id)
  }

  /// Fetches the records with the given primary keys, in no particular order.
  ///
  ///     let players = try Player.fetchAll(db, ids: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public static func fetchAll(_ db: Database, ids: any Sequence<ID>) throws -> [Self] {
    try fetchAll(db, keys: ids)
  }

  /// Fetches the records with the given primary keys one by one, in no particular order.
  ///
  ///     let players = try Player.fetchCursor(db, ids: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public static func fetchCursor(
    _ db: Database,
    ids: any Sequence<ID>
  ) throws -> DecodingCursor<Self> {
    try fetchCursor(db, keys: ids)
  }
}

extension FetchableRecord
where Self: TableRecord & Identifiable & Hashable, ID: DatabaseValueConvertible {
  /// Fetches the distinct records with the given primary keys.
  ///
  ///     let players = try Player.fetchSet(db, ids: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public static func fetchSet(_ db: Database, ids: any Sequence<ID>) throws -> Set<Self> {
    try fetchSet(db, keys: ids)
  }
}

// MARK: - Keys that are not optional, for an ID that is

extension FetchableRecord where Self: TableRecord & Identifiable {
  /// Fetches the records with the given primary keys, in no particular order.
  ///
  ///     let players = try Player.fetchAll(db, ids: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public static func fetchAll<Key: DatabaseValueConvertible>(
    _ db: Database,
    ids: any Sequence<Key>
  ) throws -> [Self] where ID == Key? {
    try fetchAll(db, keys: ids)
  }

  /// Fetches the records with the given primary keys one by one, in no particular order.
  ///
  ///     let players = try Player.fetchCursor(db, ids: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public static func fetchCursor<Key: DatabaseValueConvertible>(
    _ db: Database,
    ids: any Sequence<Key>
  ) throws -> DecodingCursor<Self> where ID == Key? {
    try fetchCursor(db, keys: ids)
  }

  /// Fetches the distinct records with the given primary keys.
  ///
  ///     let players = try Player.fetchSet(db, ids: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public static func fetchSet<Key: DatabaseValueConvertible>(
    _ db: Database,
    ids: any Sequence<Key>
  ) throws -> Set<Self> where ID == Key?, Self: Hashable {
    try fetchSet(db, keys: ids)
  }
}
