extension TableRecord {
  /// Selects the result columns.
  ///
  ///     Player.select(.allColumns, .rowID)
  ///     // SELECT *, "rowid" FROM "player"
  public static func select(_ selection: any SQLSelectable...) -> QueryInterfaceRequest<Self> {
    all().select(selection)
  }

  /// Selects the result columns.
  ///
  ///     Player.select([Column("id"), Column("name")])
  ///     // SELECT "id", "name" FROM "player"
  public static func select(_ selection: [any SQLSelectable]) -> QueryInterfaceRequest<Self> {
    all().select(selection)
  }

  /// Selects the result columns.
  ///
  ///     Player.select { [$0.id, $0.name] }
  ///     // SELECT "id", "name" FROM "player"
  public static func select(
    _ selection: (DatabaseComponents) throws -> [any SQLSelectable]
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().select(selection)
  }

  /// Selects the result column.
  ///
  ///     Player.select(\.name)
  ///     // SELECT "name" FROM "player"
  public static func select(
    _ selection: (DatabaseComponents) throws -> some SQLSelectable
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().select(selection)
  }

  /// Selects the result columns in SQL.
  ///
  ///     Player.select(sql: "DATE(createdAt), COUNT(*)")
  ///     // SELECT DATE(createdAt), COUNT(*) FROM "player"
  public static func select(
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<Self> {
    all().select(sql: sql, arguments: arguments)
  }

  /// Selects the result columns in SQL.
  ///
  ///     Player.select(literal: "IFNULL(name, \("Anonymous"))")
  ///     // SELECT IFNULL(name, 'Anonymous') FROM "player"
  public static func select(literal: SQL) -> QueryInterfaceRequest<Self> {
    all().select(literal: literal)
  }

  /// Selects the primary keys of all rows.
  ///
  ///     Player.selectPrimaryKey()
  ///     // SELECT "id" FROM "player"
  public static func selectPrimaryKey() -> QueryInterfaceRequest<Self> {
    all().selectPrimaryKey()
  }
}

// MARK: - SELECT of another type

extension TableRecord {
  /// Selects the result columns, and the type that the rows are fetched as.
  ///
  ///     Player.select(max(Column("score")), as: Int.self)
  ///     // SELECT MAX("score") FROM "player"
  public static func select<Other>(
    _ selection: any SQLSelectable...,
    as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    all().select(selection, as: type)
  }

  /// Selects the result columns, and the type that the rows are fetched as.
  ///
  ///     Player.select([Column("name"), Column("score")], as: Row.self)
  ///     // SELECT "name", "score" FROM "player"
  public static func select<Other>(
    _ selection: [any SQLSelectable],
    as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    all().select(selection, as: type)
  }

  /// Selects the result columns, and the type that the rows are fetched as.
  ///
  ///     Player.select({ [$0.name, $0.score] }, as: Row.self)
  ///     // SELECT "name", "score" FROM "player"
  public static func select<Other>(
    _ selection: (DatabaseComponents) throws -> [any SQLSelectable],
    as type: Other.Type = Other.self
  ) rethrows -> QueryInterfaceRequest<Other> {
    try all().select(selection, as: type)
  }

  /// Selects the result column, and the type that the rows are fetched as.
  ///
  ///     Player.select({ max($0.score) }, as: Int.self)
  ///     // SELECT MAX("score") FROM "player"
  public static func select<Other>(
    _ selection: (DatabaseComponents) throws -> some SQLSelectable,
    as type: Other.Type = Other.self
  ) rethrows -> QueryInterfaceRequest<Other> {
    try all().select(selection, as: type)
  }

  /// Selects the result columns in SQL, and the type that the rows are fetched as.
  ///
  ///     Player.select(sql: "MAX(score)", as: Int.self)
  ///     // SELECT MAX(score) FROM "player"
  public static func select<Other>(
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    all().select(sql: sql, arguments: arguments, as: type)
  }

  /// Selects the result columns in SQL, and the type that the rows are fetched as.
  ///
  ///     Player.select(literal: "MAX(score, \(10))", as: Int.self)
  ///     // SELECT MAX(score, 10) FROM "player"
  public static func select<Other>(
    literal: SQL,
    as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    all().select(literal: literal, as: type)
  }

  /// Selects the primary keys of all rows, and the type that they are fetched as.
  ///
  ///     let ids: Set<Int64> = try Player.selectPrimaryKey().fetchSet(db)
  ///     // SELECT "id" FROM "player"
  public static func selectPrimaryKey<Key>(
    as type: Key.Type = Key.self
  ) -> QueryInterfaceRequest<Key> {
    all().selectPrimaryKey(as: type)
  }
}

extension TableRecord where Self: Identifiable, ID: DatabaseValueConvertible {
  /// Selects the primary keys of all rows.
  ///
  ///     Player.selectID()
  ///     // SELECT "id" FROM "player"
  public static func selectID() -> QueryInterfaceRequest<ID> { all().selectID() }
}

// MARK: - More result columns

extension TableRecord {
  /// Adds result columns.
  ///
  ///     Player.annotated(with: (Column("score") + Column("bonus")).forKey("total"))
  ///     // SELECT *, "score" + "bonus" AS "total" FROM "player"
  public static func annotated(
    with selection: any SQLSelectable...
  ) -> QueryInterfaceRequest<Self> {
    all().annotated(with: selection)
  }

  /// Adds result columns.
  ///
  ///     Player.annotated(with: [(Column("score") + Column("bonus")).forKey("total")])
  ///     // SELECT *, "score" + "bonus" AS "total" FROM "player"
  public static func annotated(
    with selection: [any SQLSelectable]
  ) -> QueryInterfaceRequest<Self> {
    all().annotated(with: selection)
  }

  /// Adds result columns.
  ///
  ///     Player.annotated { [($0.score + $0.bonus).forKey("total"), $0.score.forKey("points")] }
  ///     // SELECT *, "score" + "bonus" AS "total", "score" AS "points" FROM "player"
  public static func annotated(
    with selection: (DatabaseComponents) throws -> [any SQLSelectable]
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().annotated(with: selection)
  }

  /// Adds a result column.
  ///
  ///     Player.annotated { ($0.score + $0.bonus).forKey("total") }
  ///     // SELECT *, "score" + "bonus" AS "total" FROM "player"
  public static func annotated(
    with selection: (DatabaseComponents) throws -> some SQLSelectable
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().annotated(with: selection)
  }
}
