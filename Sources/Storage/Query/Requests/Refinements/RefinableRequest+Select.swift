// MARK: - SELECT

extension RefinableRequest {
  /// Selects the result columns. A later selection replaces an earlier one.
  ///
  ///     Player.select(Column("id"), Column("name"))
  ///     // SELECT "id", "name" FROM "player"
  public func select(_ selection: any SQLSelectable...) -> Refined { select(selection) }

  /// Selects the result columns.
  ///
  ///     Player.all().select([Column("id"), Column("name")])
  ///     // SELECT "id", "name" FROM "player"
  public func select(_ selection: [any SQLSelectable]) -> Refined {
    refined { statement in
      statement.select.selection = selection.map(\.sqlSelection)
      statement.from = statement.from.unselected
    }
  }

  /// Selects the result columns in SQL.
  ///
  ///     Player.select(sql: "DATE(createdAt), COUNT(*)")
  ///     // SELECT DATE(createdAt), COUNT(*) FROM "player"
  public func select(
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) -> Refined {
    select(SQL(sql: sql, arguments: arguments))
  }

  /// Selects the result columns in SQL.
  ///
  ///     Player.select(literal: "IFNULL(name, \("Anonymous"))")
  ///     // SELECT IFNULL(name, 'Anonymous') FROM "player"
  public func select(literal: SQL) -> Refined { select(literal) }
}

extension RefinableRequest where RowDecoder: TableRecord {
  /// Selects the result columns. A later selection replaces an earlier one.
  ///
  ///     Player.select { [$0.id, $0.name] }
  ///     // SELECT "id", "name" FROM "player"
  public func select(
    _ selection: (RowDecoder.DatabaseComponents) throws -> [any SQLSelectable]
  ) rethrows -> Refined {
    select(try selection(RowDecoder.databaseComponents))
  }

  /// Selects the result column. A later selection replaces an earlier one.
  ///
  ///     Player.select(\.name)
  ///     // SELECT "name" FROM "player"
  public func select(
    _ selection: (RowDecoder.DatabaseComponents) throws -> some SQLSelectable
  ) rethrows -> Refined {
    select([try selection(RowDecoder.databaseComponents)])
  }
}

// MARK: - SELECT of another type

// The type is an argument, or the context has it:
// `let names: [String] = try Player.select(\.name).fetchAll(db)`.

extension TableQuery {
  /// Selects the result columns, and the type that the rows are fetched as.
  ///
  ///     Player.all().select(max(Column("score")), as: Int.self)
  ///     // SELECT MAX("score") FROM "player"
  public func select<Other>(
    _ selection: any SQLSelectable...,
    as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    request.select(selection).asRequest(of: type)
  }

  /// Selects the result columns, and the type that the rows are fetched as.
  ///
  ///     Player.all().select([max(Column("score"))], as: Int.self)
  ///     // SELECT MAX("score") FROM "player"
  public func select<Other>(
    _ selection: [any SQLSelectable],
    as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    request.select(selection).asRequest(of: type)
  }

  /// Selects the result columns in SQL, and the type that the rows are fetched as.
  ///
  ///     Player.all().select(sql: "MAX(score)", as: Int.self)
  ///     // SELECT MAX(score) FROM "player"
  public func select<Other>(
    sql: String,
    arguments: StatementArguments = StatementArguments(),
    as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    request.select(sql: sql, arguments: arguments).asRequest(of: type)
  }

  /// Selects the result columns in SQL, and the type that the rows are fetched as.
  ///
  ///     Player.all().select(literal: "MAX(score, \(10))", as: Int.self)
  ///     // SELECT MAX(score, 10) FROM "player"
  public func select<Other>(
    literal: SQL,
    as type: Other.Type = Other.self
  ) -> QueryInterfaceRequest<Other> {
    request.select(literal: literal).asRequest(of: type)
  }

  /// Selects the primary key, and the type that it is fetched as.
  ///
  ///     let ids: Set<Int64> = try Player.all().selectPrimaryKey().fetchSet(db)
  ///     // SELECT "id" FROM "player"
  ///
  /// The type of a key of several columns is ``Row`` or a record.
  public func selectPrimaryKey<Key>(
    as type: Key.Type = Key.self
  ) -> QueryInterfaceRequest<Key> {
    request.select([SQLExpression(PrimaryKeyColumns())]).asRequest(of: type)
  }
}

extension TableQuery where RowDecoder: TableRecord {
  /// Selects the result columns, and the type that the rows are fetched as.
  ///
  ///     Player.select({ [$0.name, $0.score] }, as: Row.self)
  ///     // SELECT "name", "score" FROM "player"
  public func select<Other>(
    _ selection: (RowDecoder.DatabaseComponents) throws -> [any SQLSelectable],
    as type: Other.Type = Other.self
  ) rethrows -> QueryInterfaceRequest<Other> {
    try request.select(selection).asRequest(of: type)
  }

  /// Selects the result column, and the type that the rows are fetched as.
  ///
  ///     Player.select({ max($0.score) }, as: Int.self)
  ///     // SELECT MAX("score") FROM "player"
  public func select<Other>(
    _ selection: (RowDecoder.DatabaseComponents) throws -> some SQLSelectable,
    as type: Other.Type = Other.self
  ) rethrows -> QueryInterfaceRequest<Other> {
    try request.select(selection).asRequest(of: type)
  }
}

extension TableQuery
where RowDecoder: Identifiable, RowDecoder.ID: DatabaseValueConvertible {
  /// Selects the primary key.
  ///
  ///     let ids = try Player.all().selectID().fetchSet(db)
  ///     // SELECT "id" FROM "player"
  public func selectID() -> QueryInterfaceRequest<RowDecoder.ID> {
    selectPrimaryKey(as: RowDecoder.ID.self)
  }
}

// MARK: - More result columns

extension RefinableRequest {
  /// Adds result columns.
  ///
  ///     Player.annotated(with: (Column("score") + Column("bonus")).forKey("total"))
  ///     // SELECT *, "score" + "bonus" AS "total" FROM "player"
  public func annotated(with selection: any SQLSelectable...) -> Refined {
    annotated(with: selection)
  }

  /// Adds result columns.
  ///
  ///     Player.all().annotated(with: [(Column("score") + Column("bonus")).forKey("total")])
  ///     // SELECT *, "score" + "bonus" AS "total" FROM "player"
  public func annotated(with selection: [any SQLSelectable]) -> Refined {
    refined { $0.select.selection += selection.map(\.sqlSelection) }
  }
}

extension RefinableRequest where RowDecoder: TableRecord {
  /// Adds result columns.
  ///
  ///     Player.annotated { [($0.score + $0.bonus).forKey("total"), $0.score.forKey("points")] }
  ///     // SELECT *, "score" + "bonus" AS "total", "score" AS "points" FROM "player"
  public func annotated(
    with selection: (RowDecoder.DatabaseComponents) throws -> [any SQLSelectable]
  ) rethrows -> Refined {
    annotated(with: try selection(RowDecoder.databaseComponents))
  }

  /// Adds a result column.
  ///
  ///     Player.annotated { ($0.score + $0.bonus).forKey("total") }
  ///     // SELECT *, "score" + "bonus" AS "total" FROM "player"
  public func annotated(
    with selection: (RowDecoder.DatabaseComponents) throws -> some SQLSelectable
  ) rethrows -> Refined {
    annotated(with: [try selection(RowDecoder.databaseComponents)])
  }
}
