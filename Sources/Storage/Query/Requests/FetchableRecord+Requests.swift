extension FetchableRecord where Self: TableRecord {
  /// Fetches all records one by one, as SQLite finds them.
  ///
  ///     let players = try Player.fetchCursor(db)
  ///     // SELECT * FROM "player"
  public static func fetchCursor(_ db: Database) throws -> DecodingCursor<Self> {
    try all().fetchCursor(db)
  }

  /// Fetches all records.
  ///
  ///     let players = try Player.fetchAll(db)
  ///     // SELECT * FROM "player"
  public static func fetchAll(_ db: Database) throws -> [Self] { try all().fetchAll(db) }

  /// Fetches one record, in no particular order, or `nil` if the table is empty.
  ///
  ///     let player = try Player.fetchOne(db)
  ///     // SELECT * FROM "player" LIMIT 1
  public static func fetchOne(_ db: Database) throws -> Self? { try all().fetchOne(db) }
}

extension FetchableRecord where Self: TableRecord & Hashable {
  /// Fetches all distinct records.
  ///
  ///     let players = try Player.fetchSet(db)
  ///     // SELECT * FROM "player"
  public static func fetchSet(_ db: Database) throws -> Set<Self> { try all().fetchSet(db) }
}

// MARK: - By primary key

extension FetchableRecord where Self: TableRecord {
  /// Fetches the record with the given primary key, or `nil` if no row has it or the key is NULL.
  ///
  ///     let player = try Player.fetchOne(db, key: 1)
  ///     // SELECT * FROM "player" WHERE "id" = 1
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the primary key has several columns.
  public static func fetchOne(
    _ db: Database,
    key: any DatabaseValueConvertible
  ) throws -> Self? {
    try filter(key: key).fetchOne(db)
  }

  /// Fetches the record with the given values in the columns of a primary key or a unique index.
  ///
  ///     let player = try Player.fetchOne(db, key: ["email": "arthur@example.com"])
  ///     // SELECT * FROM "player" WHERE "email" = 'arthur@example.com'
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when there is no such key or index.
  public static func fetchOne(
    _ db: Database,
    key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Self? {
    try filter(key: key).fetchOne(db)
  }

  /// Fetches the records with the given primary keys, in no particular order.
  ///
  ///     let players = try Player.fetchAll(db, keys: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public static func fetchAll<Key: DatabaseValueConvertible>(
    _ db: Database,
    keys: any Sequence<Key>
  ) throws -> [Self] {
    try filter(keys: keys).fetchAll(db)
  }

  /// Fetches the records with the given values in the columns of a primary key or a unique index.
  ///
  ///     let found = try Citizenship.fetchAll(db, keys: [["playerID": 1, "countryCode": "FR"]])
  ///     // SELECT * FROM "citizenship" WHERE ("playerID" = 1) AND ("countryCode" = 'FR')
  public static func fetchAll(
    _ db: Database,
    keys: [[String: (any DatabaseValueConvertible)?]]
  ) throws -> [Self] {
    try filter(keys: keys).fetchAll(db)
  }

  /// Fetches the records with the given primary keys one by one, in no particular order.
  ///
  ///     let players = try Player.fetchCursor(db, keys: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public static func fetchCursor<Key: DatabaseValueConvertible>(
    _ db: Database,
    keys: any Sequence<Key>
  ) throws -> DecodingCursor<Self> {
    try filter(keys: keys).fetchCursor(db)
  }

  /// Fetches the records with the given values in the columns of a primary key or a unique index,
  /// one by one.
  ///
  ///     let found = try Citizenship.fetchCursor(db, keys: [["playerID": 1, "countryCode": "FR"]])
  ///     // SELECT * FROM "citizenship" WHERE ("playerID" = 1) AND ("countryCode" = 'FR')
  public static func fetchCursor(
    _ db: Database,
    keys: [[String: (any DatabaseValueConvertible)?]]
  ) throws -> DecodingCursor<Self> {
    try filter(keys: keys).fetchCursor(db)
  }

  /// Fetches the record with the given primary key.
  ///
  ///     let player = try Player.find(db, key: 1)
  ///     // SELECT * FROM "player" WHERE "id" = 1
  ///
  /// - Throws: ``RecordError/recordNotFound(databaseTableName:key:)`` when no row has it.
  public static func find(_ db: Database, key: any DatabaseValueConvertible) throws -> Self {
    try filter(key: key).fetchExisting(db) {
      let column = try db.primaryKey(databaseTableName).columns[0]
      return [column: try KeyValue(key).databaseValue(in: column, of: Self.self)]
    }
  }

  /// Fetches the record with the given values in the columns of a primary key or a unique index.
  ///
  ///     let player = try Player.find(db, key: ["email": "arthur@example.com"])
  ///     // SELECT * FROM "player" WHERE "email" = 'arthur@example.com'
  ///
  /// - Throws: ``RecordError/recordNotFound(databaseTableName:key:)`` when no row has these values.
  public static func find(
    _ db: Database,
    key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Self {
    try filter(key: key).fetchExisting(db) {
      try Dictionary(
        uniqueKeysWithValues: key.map { column, value in
          let stored = try value.map { try KeyValue($0).databaseValue(in: column, of: Self.self) }
          return (column, stored ?? .null)
        }
      )
    }
  }
}

extension FetchableRecord where Self: TableRecord & Hashable {
  /// Fetches the distinct records with the given primary keys.
  ///
  ///     let players = try Player.fetchSet(db, keys: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public static func fetchSet<Key: DatabaseValueConvertible>(
    _ db: Database,
    keys: any Sequence<Key>
  ) throws -> Set<Self> {
    try filter(keys: keys).fetchSet(db)
  }

  /// Fetches the distinct records with the given values in the columns of a primary key or a unique
  /// index.
  ///
  ///     let found = try Citizenship.fetchSet(db, keys: [["playerID": 1, "countryCode": "FR"]])
  ///     // SELECT * FROM "citizenship" WHERE ("playerID" = 1) AND ("countryCode" = 'FR')
  public static func fetchSet(
    _ db: Database,
    keys: [[String: (any DatabaseValueConvertible)?]]
  ) throws -> Set<Self> {
    try filter(keys: keys).fetchSet(db)
  }
}

extension QueryInterfaceRequest where RowDecoder: FetchableRecord {
  /// Fetches the record with a key, which must exist.
  fileprivate func fetchExisting(
    _ db: Database,
    key: () throws -> [String: DatabaseValue]
  ) throws -> RowDecoder {
    if let record = try fetchOne(db) { return record }
    throw RecordError.recordNotFound(
      databaseTableName: selectStatement.from.table.tableName,
      key: try key()
    )
  }
}

extension Fetchable {
  /// Fetches the elements of a request one by one, regardless of the request's own type.
  ///
  ///     let names = try String.fetchCursor(db, Player.select(\.name))
  ///     // SELECT "name" FROM "player"
  public static func fetchCursor(
    _ db: Database,
    _ request: some FetchRequest
  ) throws -> DecodingCursor<Self> {
    let request = try request.makePreparedRequest(db)
    try request.checkHasNoPrefetches()
    return try fetchCursor(request.statement, adapter: request.adapter)
  }

  /// Fetches all elements of a request, regardless of the request's own type.
  ///
  ///     let names = try String.fetchAll(db, Player.select(\.name))
  ///     // SELECT "name" FROM "player"
  public static func fetchAll(_ db: Database, _ request: some FetchRequest) throws -> [Self] {
    try fetchAll(request.makePreparedRequest(db))
  }

  /// Fetches all elements of a request whose arguments are bound.
  static func fetchAll(_ request: PreparedRequest) throws -> [Self] {
    let db = request.statement.database
    guard request.prefetches.isEmpty else {
      return try db.fetchInterceptor?.fetchAll(Self.self, request)
        ?? RowBuffer(request, db).decode { try fetched(from: $0) }
    }
    return try fetchAll(request.statement, adapter: request.adapter)
  }

  /// Fetches the element of the first row of a request, regardless of the request's own type.
  ///
  ///     let maximum = try Int.fetchOne(db, Player.select { max($0.score) })
  ///     // SELECT MAX("score") FROM "player" LIMIT 1
  public static func fetchOne(_ db: Database, _ request: some FetchRequest) throws -> Self? {
    let request = try request.makePreparedRequest(db, forSingleResult: true)
    guard request.prefetches.isEmpty else {
      if let element = try db.fetchInterceptor?.fetchOne(Self.self, request) { return element }
      return try RowBuffer(request, db, isSingle: true).decode { try fetchedOne(from: $0) }.first
        ?? nil
    }
    return try fetchOne(request.statement, adapter: request.adapter)
  }
}

extension Fetchable where Self: Hashable {
  /// Fetches the distinct elements of a request, regardless of the request's own type.
  ///
  ///     let names = try String.fetchSet(db, Player.select(\.name))
  ///     // SELECT "name" FROM "player"
  public static func fetchSet(_ db: Database, _ request: some FetchRequest) throws -> Set<Self> {
    try Set(fetchAll(db, request))
  }
}

extension Row {
  /// Fetches the rows of a request one by one, regardless of the request's own type.
  ///
  ///     let rows = try Row.fetchCursor(db, Player.all())
  ///     // SELECT * FROM "player"
  public static func fetchCursor(_ db: Database, _ request: some FetchRequest) throws -> RowCursor {
    let request = try request.makePreparedRequest(db)
    try request.checkHasNoPrefetches()
    return try fetchCursor(request.statement, adapter: request.adapter)
  }
}
