/// A type whose values can be stored as rows of a table.
///
///     struct Item: Codable, FetchableRecord, PersistableRecord {
///       var id: Int64
///       var name: String
///     }
///     try pool.write { db in
///       try Item(id: 1, name: "cup").insert(db)
///     }
public protocol PersistableRecord: EncodableRecord, TableRecord {}

extension PersistableRecord {
  /// Inserts a row.
  ///
  ///     try Item(id: 1, name: "cup").insert(db)
  ///     // INSERT INTO "item" ("id", "name") VALUES (1, 'cup')
  ///
  /// - Throws: ``DatabaseError`` with an extension of `SQLITE_CONSTRAINT` when a constraint of the
  ///   table forbids the row, and what encoding throws.
  public func insert(_ db: Database) throws {
    let plans = db.insertionPlans
    if let plan = plans.plan(for: Self.self), !plan.reading.hasRead {
      plan.statement.reset()
      plan.statement.forgetArguments()
      var container = PersistenceContainer(bindingTo: plan)
      try encode(to: &container)
      if container.didBindAll {
        do {
          try container.checkBindings()
          return try plan.statement.run()
        } catch let error as DatabaseError {
          var container = PersistenceContainer()
          try encode(to: &container)
          throw error.with(arguments: StatementArguments(container.values))
        }
      }
    }
    var container = PersistenceContainer()
    try encode(to: &container)
    let plan = try plans.makePlan(for: Self.self, container, db)
    try plan.statement.execute(arguments: StatementArguments(container.values))
  }

  /// Updates the row with this record's primary key: all columns that the record encodes.
  ///
  ///     try item.update(db)
  ///     // UPDATE "item" SET "name" = 'mug' WHERE "id" = 1
  ///
  /// - Throws: ``RecordError`` when there is no such row, ``DatabaseError`` with `SQLITE_MISUSE` when
  ///   the table has no primary key or the record does not encode it, and what encoding throws.
  public func update(_ db: Database) throws {
    let row = try EncodedRow(self, db)
    // A record that is nothing but a key still says whether its row is there.
    let assigned = row.otherColumns.isEmpty ? row.keyColumns : row.otherColumns
    let assignments = assigned.map { "\($0.name.quotedDatabaseIdentifier) = ?" }
    let sql = """
      UPDATE \(Self.databaseTableName.quotedDatabaseIdentifier) \
      SET \(assignments.joined(separator: ", ")) WHERE \(row.condition)
      """
    let arguments = StatementArguments((assigned + row.keyColumns).map(\.value))
    try db.execute(sql: sql, arguments: arguments)
    if db.changesCount == 0 { throw row.notFound }
  }

  /// Deletes the row with this record's primary key.
  ///
  ///     try item.delete(db)
  ///     // DELETE FROM "item" WHERE "id" = 1
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when the table has no primary key or the
  ///   record does not encode it.
  @discardableResult
  public func delete(_ db: Database) throws -> Bool {
    let row = try EncodedRow(self, db)
    let sql = """
      DELETE FROM \(Self.databaseTableName.quotedDatabaseIdentifier) WHERE \(row.condition)
      """
    try db.execute(sql: sql, arguments: StatementArguments(row.keyColumns.map(\.value)))
    return db.changesCount > 0
  }
}

/// A record's columns, divided into its primary key and the others.
private struct EncodedRow {
  typealias Column = (name: String, value: DatabaseValue)

  var keyColumns: [Column] = []
  var otherColumns: [Column] = []
  let table: String

  init(_ record: some PersistableRecord, _ db: Database) throws {
    table = type(of: record).databaseTableName
    var container = PersistenceContainer()
    try record.encode(to: &container)
    let primaryKey = try db.primaryKeyColumns(of: table).map(\.asciiLowercased)
    for (name, value) in zip(container.columns, container.values) {
      if primaryKey.contains(name.asciiLowercased) {
        keyColumns.append((name, value))
      } else {
        otherColumns.append((name, value))
      }
    }
    guard !primaryKey.isEmpty, keyColumns.count == primaryKey.count else {
      let reason =
        primaryKey.isEmpty
        ? "the table \(table) has no primary key"
        : "the record does not encode the primary key of \(table): "
          + primaryKey.joined(separator: ", ")
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: reason)
    }
  }

  var condition: String {
    keyColumns.map { "\($0.name.quotedDatabaseIdentifier) = ?" }.joined(separator: " AND ")
  }

  var notFound: RecordError {
    .recordNotFound(
      databaseTableName: table,
      key: Dictionary(uniqueKeysWithValues: keyColumns.map { ($0.name, $0.value) })
    )
  }
}
