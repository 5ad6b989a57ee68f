extension TableRecord {
  /// All rows.
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

  /// No row.
  ///
  ///     Player.none()
  ///     // SELECT * FROM "player" WHERE 0
  public static func none() -> QueryInterfaceRequest<Self> { all().none() }

  /// A part of the rows.
  ///
  ///     Player.limit(10, offset: 20)
  ///     // SELECT * FROM "player" LIMIT 10 OFFSET 20
  public static func limit(_ count: Int, offset: Int? = nil) -> QueryInterfaceRequest<Self> {
    all().limit(count, offset: offset)
  }
}

// MARK: - Filters

extension TableRecord {
  /// The rows for which a condition is true.
  ///
  ///     Player.filter(Column("score") >= 1000)
  ///     // SELECT * FROM "player" WHERE "score" >= 1000
  @_disfavoredOverload
  public static func filter(_ condition: some SQLCondition) -> QueryInterfaceRequest<Self> {
    all().filter(condition)
  }

  /// The rows for which a condition is true.
  ///
  ///     Player.filter { $0.score >= 1000 }
  ///     // SELECT * FROM "player" WHERE "score" >= 1000
  public static func filter(
    _ condition: (DatabaseComponents) throws -> some SQLCondition
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().filter(condition)
  }

  /// The rows for which a condition in SQL is true.
  ///
  ///     Player.filter(sql: "score >= ?", arguments: [1000])
  ///     // SELECT * FROM "player" WHERE score >= 1000
  public static func filter(
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<Self> {
    all().filter(sql: sql, arguments: arguments)
  }

  /// The rows for which a condition in SQL is true.
  ///
  ///     Player.filter(literal: "score >= \(1000)")
  ///     // SELECT * FROM "player" WHERE score >= 1000
  @_disfavoredOverload
  public static func filter(literal: SQL) -> QueryInterfaceRequest<Self> {
    all().filter(literal: literal)
  }

  /// The row with a primary key: see ``DerivableRequest/filter(key:)-(DatabaseValueConvertible)``.
  ///
  ///     Player.filter(key: 1)
  ///     // SELECT * FROM "player" WHERE "id" = 1
  @_disfavoredOverload
  public static func filter(key: some DatabaseValueConvertible) -> QueryInterfaceRequest<Self> {
    all().filter(key: key)
  }

  /// The rows with some primary keys.
  ///
  ///     Player.filter(keys: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  @_disfavoredOverload
  public static func filter(
    keys: some Sequence<some DatabaseValueConvertible>
  ) -> QueryInterfaceRequest<Self> {
    all().filter(keys: keys)
  }

  /// The row with given values in the columns of a primary key, or of a unique index.
  ///
  ///     Player.filter(key: ["email": "arthur@example.com"])
  ///     // SELECT * FROM "player" WHERE "email" = 'arthur@example.com'
  @_disfavoredOverload
  public static func filter(
    key: [String: (any DatabaseValueConvertible)?]
  ) -> QueryInterfaceRequest<Self> {
    all().filter(key: key)
  }

  /// The rows with given values in the columns of a primary key, or of a unique index.
  ///
  ///     Player.filter(keys: [["email": "arthur@example.com"], ["email": "zoe@example.com"]])
  ///     // SELECT * FROM "player" WHERE ("email" = 'arthur@example.com') OR ("email" = 'zoe@example.com')
  @_disfavoredOverload
  public static func filter(
    keys: [[String: (any DatabaseValueConvertible)?]]
  ) -> QueryInterfaceRequest<Self> {
    all().filter(keys: keys)
  }
}

extension TableRecord where Self: Identifiable, ID: DatabaseValueConvertible {
  /// The row with a primary key.
  ///
  ///     Player.filter(id: 1)
  ///     // SELECT * FROM "player" WHERE "id" = 1
  @_disfavoredOverload
  public static func filter(id: ID) -> QueryInterfaceRequest<Self> { all().filter(id: id) }

  /// The rows with some primary keys.
  ///
  ///     Player.filter(ids: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  @_disfavoredOverload
  public static func filter(ids: some Sequence<ID>) -> QueryInterfaceRequest<Self> {
    all().filter(ids: ids)
  }

  /// The primary keys of all rows.
  ///
  ///     Player.selectID()
  ///     // SELECT "id" FROM "player"
  public static func selectID() -> QueryInterfaceRequest<ID> { all().selectID() }
}

// MARK: - Selections

extension TableRecord {
  /// Chooses the result columns.
  ///
  ///     Player.select(.allColumns, .rowID)
  ///     // SELECT *, "rowid" FROM "player"
  public static func select(_ selection: any SQLSelectable...) -> QueryInterfaceRequest<Self> {
    all().select(selection)
  }

  /// Chooses the result columns.
  ///
  ///     Player.select { [$0.id, $0.name] }
  ///     // SELECT "id", "name" FROM "player"
  public static func select(
    _ selection: (DatabaseComponents) throws -> [any SQLSelectable]
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().select(selection)
  }

  /// Chooses the result column.
  ///
  ///     Player.select(\.name)
  ///     // SELECT "name" FROM "player"
  public static func select(
    _ selection: (DatabaseComponents) throws -> some SQLSelectable
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().select(selection)
  }

  /// Chooses the result columns in SQL.
  ///
  ///     Player.select(sql: "DATE(createdAt), COUNT(*)")
  ///     // SELECT DATE(createdAt), COUNT(*) FROM "player"
  public static func select(
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<Self> {
    all().select(sql: sql, arguments: arguments)
  }

  /// Chooses the result columns in SQL.
  ///
  ///     Player.select(literal: "IFNULL(name, \("Anonymous"))")
  ///     // SELECT IFNULL(name, 'Anonymous') FROM "player"
  public static func select(literal: SQL) -> QueryInterfaceRequest<Self> {
    all().select(literal: literal)
  }

  /// Chooses the result columns, and the type that the rows are fetched as.
  ///
  ///     Player.select(max(Column("score")), as: Int.self)
  ///     // SELECT MAX("score") FROM "player"
  public static func select<Other>(
    _ selection: any SQLSelectable...,
    as type: Other.Type
  ) -> QueryInterfaceRequest<Other> {
    all().select(selection, as: type)
  }

  /// Chooses the result columns, and the type that the rows are fetched as.
  ///
  ///     Player.select({ [$0.name, $0.score] }, as: Row.self)
  ///     // SELECT "name", "score" FROM "player"
  public static func select<Other>(
    _ selection: (DatabaseComponents) throws -> [any SQLSelectable],
    as type: Other.Type
  ) rethrows -> QueryInterfaceRequest<Other> {
    try all().select(selection, as: type)
  }

  /// Chooses the result column, and the type that the rows are fetched as.
  ///
  ///     Player.select({ max($0.score) }, as: Int.self)
  ///     // SELECT MAX("score") FROM "player"
  public static func select<Other>(
    _ selection: (DatabaseComponents) throws -> some SQLSelectable,
    as type: Other.Type
  ) rethrows -> QueryInterfaceRequest<Other> {
    try all().select(selection, as: type)
  }

  /// Adds result columns.
  ///
  ///     Player.annotated(with: (Column("score") + Column("bonus")).forKey("total"))
  ///     // SELECT *, ("score" + "bonus") AS "total" FROM "player"
  public static func annotated(
    with selection: any SQLSelectable...
  ) -> QueryInterfaceRequest<Self> {
    all().annotated(with: selection)
  }

  /// Adds result columns.
  ///
  ///     Player.annotated { [($0.score + $0.bonus).forKey("total"), $0.score.forKey("points")] }
  ///     // SELECT *, ("score" + "bonus") AS "total", "score" AS "points" FROM "player"
  public static func annotated(
    with selection: (DatabaseComponents) throws -> [any SQLSelectable]
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().annotated(with: selection)
  }

  /// Adds a result column.
  ///
  ///     Player.annotated { ($0.score + $0.bonus).forKey("total") }
  ///     // SELECT *, ("score" + "bonus") AS "total" FROM "player"
  public static func annotated(
    with selection: (DatabaseComponents) throws -> some SQLSelectable
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().annotated(with: selection)
  }
}

// MARK: - Orders

extension TableRecord {
  /// The rows in an order.
  ///
  ///     Player.order(Column("score").desc, Column("name"))
  ///     // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  public static func order(_ terms: any SQLOrderingTerm...) -> QueryInterfaceRequest<Self> {
    all().order(terms)
  }

  /// The rows in an order.
  ///
  ///     Player.order { [$0.score.desc, $0.name] }
  ///     // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  public static func order(
    _ terms: (DatabaseComponents) throws -> [any SQLOrderingTerm]
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().order(terms)
  }

  /// The rows in an order.
  ///
  ///     Player.order(\.score.desc)
  ///     // SELECT * FROM "player" ORDER BY "score" DESC
  public static func order(
    _ term: (DatabaseComponents) throws -> some SQLOrderingTerm
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().order(term)
  }

  /// The rows in an order that is written in SQL.
  ///
  ///     Player.order(sql: "score DESC, name")
  ///     // SELECT * FROM "player" ORDER BY score DESC, name
  public static func order(
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<Self> {
    all().order(sql: sql, arguments: arguments)
  }

  /// The rows in an order that is written in SQL.
  ///
  ///     Player.order(literal: "ABS(score - \(1000))")
  ///     // SELECT * FROM "player" ORDER BY ABS(score - 1000)
  public static func order(literal: SQL) -> QueryInterfaceRequest<Self> {
    all().order(literal: literal)
  }

  /// The rows in the order of their primary key.
  ///
  ///     Player.orderByPrimaryKey()
  ///     // SELECT * FROM "player" ORDER BY "id"
  public static func orderByPrimaryKey() -> QueryInterfaceRequest<Self> {
    all().orderByPrimaryKey()
  }
}

// MARK: - Counts

extension TableRecord {
  /// The number of rows.
  ///
  ///     try Player.fetchCount(db)
  ///     // SELECT COUNT(*) FROM "player"
  public static func fetchCount(_ db: Database) throws -> Int { try all().fetchCount(db) }

  /// Whether there is a row with a primary key.
  ///
  ///     try Player.exists(db, key: 1)
  ///     // SELECT EXISTS (SELECT * FROM "player" WHERE "id" = 1)
  public static func exists(_ db: Database, key: some DatabaseValueConvertible) throws -> Bool {
    try !filter(key: key).isEmpty(db)
  }

  /// Whether there is a row with given values in the columns of a primary key, or of a unique index.
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
  /// Whether there is a row with a primary key.
  ///
  ///     try Player.exists(db, id: 1)
  ///     // SELECT EXISTS (SELECT * FROM "player" WHERE "id" = 1)
  public static func exists(_ db: Database, id: ID) throws -> Bool {
    try exists(db, key: id)
  }
}
