extension TableRecord {
  /// Returns a request for all rows.
  ///
  ///     Player.all()
  ///     // SELECT * FROM "player"
  public static func all() -> QueryInterfaceRequest<Self> {
    QueryInterfaceRequest(
      SelectStatement(
        select: SelectClause(selection: databaseSelection.map(\.sqlSelection)),
        from: FromClause(table: TableReference(tableName: databaseTableName))
      )
    )
  }

  /// Returns a request for no row.
  ///
  ///     Player.none()
  ///     // SELECT * FROM "player" WHERE 0
  public static func none() -> QueryInterfaceRequest<Self> { all().none() }

  /// Limits the number of rows, optionally after an offset.
  ///
  ///     Player.limit(10, offset: 20)
  ///     // SELECT * FROM "player" LIMIT 10 OFFSET 20
  public static func limit(_ count: Int, offset: Int? = nil) -> QueryInterfaceRequest<Self> {
    all().limit(count, offset: offset)
  }

  /// Removes duplicate rows.
  ///
  ///     Player.distinct()
  ///     // SELECT DISTINCT * FROM "player"
  public static func distinct() -> QueryInterfaceRequest<Self> { all().distinct() }

  /// Groups rows with equal values, and returns one row for each group.
  ///
  ///     Player.group(Column("teamID"), Column("color"))
  ///     // SELECT * FROM "player" GROUP BY "teamID", "color"
  public static func group(_ expressions: any SQLExpressible...) -> QueryInterfaceRequest<Self> {
    all().group(expressions)
  }

  /// Groups rows with equal values, and returns one row for each group.
  ///
  ///     Player.group(\.teamID)
  ///     // SELECT * FROM "player" GROUP BY "teamID"
  public static func group(
    _ expression: (DatabaseComponents) throws -> some SQLExpressible
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().group(expression)
  }

  /// Adds a named query that the request can read like a table: see
  /// ``RefinableRequest/with(_:)``.
  ///
  ///     Player.with(leaders).filter { leaders.all().select(Column("id")).contains($0.id) }
  ///     // WITH "leader" AS (SELECT …)
  ///     // SELECT * FROM "player" WHERE "id" IN (SELECT "id" FROM "leader")
  public static func with<Other>(
    _ expression: CommonTableExpression<Other>
  ) -> QueryInterfaceRequest<Self> {
    all().with(expression)
  }

  /// Returns the number of columns of the default selection.
  ///
  ///     let adapters = try splittingRowAdapters(columnCounts: [
  ///       Player.numberOfSelectedColumns(db), Team.numberOfSelectedColumns(db),
  ///     ])
  ///
  /// - Throws: ``DatabaseError`` when the table does not exist, or with `SQLITE_MISUSE` when the
  ///   selection is written in SQL.
  public static func numberOfSelectedColumns(_ db: Database) throws -> Int {
    let table = TableReference(tableName: databaseTableName)
    return try databaseSelection.reduce(0) { try $0 + $1.sqlSelection.columnCount(table, db) }
  }
}

extension TableRecord {
  /// Returns a request for all rows, with an alias for the table.
  ///
  ///     let player = TableAlias<Player>(name: "p")
  ///     Player.aliased(player).filter(player.score > 10)
  ///     // SELECT * FROM "player" "p" WHERE "p"."score" > 10
  public static func aliased<Record>(_ alias: TableAlias<Record>) -> QueryInterfaceRequest<Self> {
    all().aliased(alias)
  }
}

// MARK: - Counts

extension TableRecord {
  /// Returns the number of rows.
  ///
  ///     try Player.fetchCount(db)
  ///     // SELECT COUNT(*) FROM "player"
  public static func fetchCount(_ db: Database) throws -> Int { try all().fetchCount(db) }

  /// Returns whether there is a row with the given primary key.
  ///
  ///     try Player.exists(db, key: 1)
  ///     // SELECT EXISTS (SELECT * FROM "player" WHERE "id" = 1)
  public static func exists(_ db: Database, key: any DatabaseValueConvertible) throws -> Bool {
    try !filter(key: key).isEmpty(db)
  }

  /// Returns whether there is a row with the given values in the columns of a primary key or a
  /// unique index.
  ///
  ///     try Player.exists(db, key: ["email": "arthur@example.com"])
  ///     // SELECT EXISTS (SELECT * FROM "player" WHERE "email" = 'arthur@example.com')
  public static func exists(
    _ db: Database,
    key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool {
    try !filter(key: key).isEmpty(db)
  }
}

extension TableRecord where Self: Identifiable, ID: DatabaseValueConvertible {
  /// Returns whether there is a row with the given primary key.
  ///
  ///     try Player.exists(db, id: 1)
  ///     // SELECT EXISTS (SELECT * FROM "player" WHERE "id" = 1)
  public static func exists(_ db: Database, id: ID) throws -> Bool {
    try exists(db, key: id)
  }
}
