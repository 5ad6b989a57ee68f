/// Which columns an upsert updates in the conflicting row, in addition to the assignments of the
/// call.
public enum UpsertUpdateStrategy: Sendable {
  /// All columns that the record encodes are overwritten, except the columns of the primary key and
  /// of the conflict target.
  case allColumns
  /// Only the assignments of the call are made.
  case noColumnUnlessSpecified
}

extension ColumnExpression {
  /// Leaves the column of the conflicting row unchanged in an upsert.
  ///
  ///     let stored = try word.upsertAndFetch(db, onConflict: ["word"]) { _ in
  ///       [Column("count") += 1, Column("isTainted").noOverwrite]
  ///     }
  ///     // … DO UPDATE SET "count" = "count" + 1, "kind" = "excluded"."kind"
  ///     // RETURNING *, "rowid"
  public var noOverwrite: ColumnAssignment { ColumnAssignment(name, Column(name).sqlExpression) }
}

extension TypedColumn {
  /// Leaves the column of the conflicting row unchanged in an upsert.
  ///
  ///     let stored = try word.upsertAndFetch(db, onConflict: ["word"]) { _ in
  ///       [Word.columns.count += 1, Word.columns.isTainted.noOverwrite]
  ///     }
  ///     // … DO UPDATE SET "count" = "count" + 1, "kind" = "excluded"."kind"
  ///     // RETURNING *, "rowid"
  public var noOverwrite: ColumnAssignment { column.noOverwrite }
}

extension ColumnAssignment {
  /// Whether the assignment leaves its column unchanged.
  var isUnchanging: Bool { value == Column(column).sqlExpression.node }
}

extension MutablePersistableRecord {
  /// Inserts a row, or updates the row that conflicts with it by a unique constraint.
  ///
  ///     try player.upsert(db)
  ///     // INSERT INTO "player" ("id", "name") VALUES (1, 'Arthur')
  ///     // ON CONFLICT DO UPDATE SET "name" = "excluded"."name" RETURNING "rowid"
  ///
  /// An update overwrites all columns of the record except the primary key. The insertion callbacks
  /// are called in both cases.
  ///
  /// - Throws: ``DatabaseError`` with an extension of `SQLITE_CONSTRAINT` when another constraint
  ///   forbids the row, and the errors of encoding and callbacks.
  public mutating func upsert(_ db: Database) throws {
    try insertCallingBack(db) { try $0.runUpsert(db) }
  }

  /// Inserts a row, or updates the conflicting row, and returns the record as completed by the
  /// database.
  ///
  ///     let player = try Player(id: nil, email: "a@example.com").upserted(db)
  ///     // INSERT INTO "player" … ON CONFLICT DO UPDATE SET … RETURNING "rowid"
  public func upserted(_ db: Database) throws -> Self {
    var record = self
    try record.upsert(db)
    return record
  }

  /// Inserts a row, or updates the conflicting row, and fetches it.
  ///
  ///     let player = try player.upsertAndFetch(db, onConflict: ["email"]) { excluded in
  ///       [Column("score") += excluded.score]
  ///     }
  ///     // INSERT INTO "player" ("name", "email", "score") VALUES ('A', 'a@example.com', 1)
  ///     // ON CONFLICT("email") DO UPDATE
  ///     // SET "score" = "score" + "excluded"."score", "name" = "excluded"."name"
  ///     // RETURNING *, "rowid"
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  ///
  /// - Parameters:
  ///   - db: A writable connection.
  ///   - type: The type of the fetched record.
  ///   - target: The columns of the unique constraint. By default, a conflict with any constraint
  ///     leads to an update.
  ///   - strategy: Whether the columns that the closure does not assign are overwritten.
  ///   - assignments: Changes to the conflicting row. The alias refers to the row that could not be
  ///     inserted.
  /// - Returns: The row.
  /// - Throws: ``DatabaseError`` with an extension of `SQLITE_CONSTRAINT` when another constraint
  ///   forbids the row, ``RecordError`` when a trigger made the database ignore the row, and the
  ///   errors of encoding and callbacks.
  public mutating func upsertAndFetch<Fetched: FetchableRecord & TableRecord>(
    _ db: Database,
    as type: Fetched.Type,
    onConflict target: [String] = [],
    updating strategy: UpsertUpdateStrategy = .allColumns,
    doUpdate assignments: ((TableAlias<Self>) -> [ColumnAssignment])? = nil
  ) throws -> Fetched {
    let record = self
    return try upsertAndFetch(
      db,
      onConflict: target,
      updating: strategy,
      doUpdate: assignments,
      selection: Fetched.databaseSelection
    ) { try record.fetchedRow($0, db) }
  }

  /// Inserts a row, or updates the conflicting row, and returns the value that a closure fetches
  /// from it.
  ///
  ///     let id = try player.upsertAndFetch(db, selection: [Column("id")]) { statement in
  ///       try Int64.fetchOne(statement)
  ///     }
  ///     // INSERT INTO "player" … ON CONFLICT DO UPDATE SET … RETURNING "id", "rowid"
  ///
  /// The closure runs the statement once.
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  public mutating func upsertAndFetch<Result>(
    _ db: Database,
    onConflict target: [String] = [],
    updating strategy: UpsertUpdateStrategy = .allColumns,
    doUpdate assignments: ((TableAlias<Self>) -> [ColumnAssignment])? = nil,
    selection: [any SQLSelectable],
    fetch: (Statement) throws -> Result
  ) throws -> Result {
    try runUpsert(db, target, strategy, assignments, selection, fetch)
  }

  /// Upserts a row. Records that do not change on insertion call this on a copy.
  mutating func runUpsert<Result>(
    _ db: Database,
    _ target: [String],
    _ strategy: UpsertUpdateStrategy,
    _ assignments: ((TableAlias<Self>) -> [ColumnAssignment])?,
    _ selection: [any SQLSelectable],
    _ fetch: (Statement) throws -> Result
  ) throws -> Result {
    var fetched: Result?
    try insertCallingBack(db) { record in
      let statement = try record.prepareUpsert(
        target,
        strategy,
        assignments,
        returning: selection + [Self.returnedRowID(db)],
        db
      )
      let (result, rowID) = try statement.with(.init(hiddenColumnCount: 1, returnsRowID: true)) {
        try fetch(statement)
      }
      fetched = result
      return Self.insertionSuccess(returnedRowID: rowID, db)
    }
    return fetched!
  }

  fileprivate func runUpsert(_ db: Database) throws -> InsertionSuccess {
    let statement = try prepareUpsert(
      [],
      .allColumns,
      nil,
      returning: [Self.returnedRowID(db)],
      db
    )
    let rowID = try DatabaseValue.fetchAll(statement).first.flatMap(Int64.fromDatabaseValue)
    return Self.insertionSuccess(returnedRowID: rowID, db)
  }

  /// The column that tells which row was inserted or updated: an update does not change the last
  /// inserted row id.
  private static func returnedRowID(_ db: Database) throws -> Column {
    let table = try db.tableInfo(databaseTableName)
    guard table.primaryKey.tableHasRowID else { return Column(table.primaryKey.columns[0]) }
    return table.primaryKey.rowIDColumn == nil
      ? Column(table.rowIDName ?? Column.rowID.name) : Column.rowID
  }

  private static func insertionSuccess(
    returnedRowID rowID: Int64?,
    _ db: Database
  ) -> InsertionSuccess {
    InsertionSuccess(rowID: rowID ?? db.lastInsertedRowID, of: Self.self, db)
  }

  private func prepareUpsert(
    _ target: [String],
    _ strategy: UpsertUpdateStrategy,
    _ assignments: ((TableAlias<Self>) -> [ColumnAssignment])?,
    returning selection: [any SQLSelectable],
    _ db: Database
  ) throws -> Statement {
    let record = try EncodedRecord(self, db)
    let excluded = TableAlias<Self>(reference: TableReference(tableName: "excluded"))
    let given = assignments.map { $0(excluded) } ?? []
    let others = record.assignments(of: nil)
      .excluding(target + given.map(\.column))
      .map { ColumnAssignment($0.column, excluded[Column($0.column)]) }
    let all = given.filter { !$0.isUnchanging } + (strategy == .allColumns ? others : [])
    var insert = Self.insertion(record.assignments, .abort, returning: selection)
    insert.upsert = UpsertClause(
      target: target,
      // An update is required for the statement to return the row.
      assignments: all.isEmpty ? record.keyAssignments : all
    )
    return try insert.prepare(db)
  }
}

extension MutablePersistableRecord where Self: FetchableRecord {
  /// Inserts a row, or updates the conflicting row, and fetches it. The record itself does not
  /// change.
  ///
  ///     let player = try player.upsertAndFetch(db, onConflict: ["email"]) { excluded in
  ///       [Column("score") += excluded.score]
  ///     }
  ///     // INSERT INTO "player" ("name", "email", "score") VALUES ('A', 'a@example.com', 1)
  ///     // ON CONFLICT("email") DO UPDATE
  ///     // SET "score" = "score" + "excluded"."score", "name" = "excluded"."name"
  ///     // RETURNING *, "rowid"
  ///
  /// The row is as the statement has stored it, before the `AFTER` triggers of the table run.
  public func upsertAndFetch(
    _ db: Database,
    onConflict target: [String] = [],
    updating strategy: UpsertUpdateStrategy = .allColumns,
    doUpdate assignments: ((TableAlias<Self>) -> [ColumnAssignment])? = nil
  ) throws -> Self {
    var record = self
    return try record.upsertAndFetch(
      db,
      as: Self.self,
      onConflict: target,
      updating: strategy,
      doUpdate: assignments
    )
  }
}

extension PersistableRecord {
  /// Inserts a row, or updates the row that conflicts with it by a unique constraint.
  ///
  ///     try player.upsert(db)
  ///     // INSERT INTO "player" ("id", "name") VALUES (1, 'Arthur')
  ///     // ON CONFLICT DO UPDATE SET "name" = "excluded"."name" RETURNING "rowid"
  public func upsert(_ db: Database) throws {
    var record = self
    try record.insertCallingBack(db) { try $0.runUpsert(db) }
  }
}
