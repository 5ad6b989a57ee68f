extension RefinableRequest {
  /// Keeps the row with the given primary key; none if the key is NULL.
  ///
  ///     Player.filter(key: 1)
  ///     // SELECT * FROM "player" WHERE "id" = 1
  ///
  /// In a table without a primary key, the key is the row id. A UUID, a date and data are compared
  /// as the record type stores them: see ``EncodableRecord/databaseUUIDEncodingStrategy(for:)``.
  ///
  /// Fetching throws ``DatabaseError`` with `SQLITE_MISUSE` when the primary key has several
  /// columns.
  public func filter(key: any DatabaseValueConvertible) -> Refined {
    filter(keys: .primary([KeyValue(key)]))
  }

  /// Keeps the rows with the given primary keys.
  ///
  ///     Player.filter(keys: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public func filter<Key: DatabaseValueConvertible>(keys: any Sequence<Key>) -> Refined {
    filter(keys: .primary(keys.map { KeyValue($0) }))
  }

  /// Keeps the row with the given values in the columns of a primary key or a unique index.
  ///
  ///     Citizenship.filter(key: ["playerID": 1, "countryCode": "FR"])
  ///     // SELECT * FROM "citizenship" WHERE ("playerID" = 1) AND ("countryCode" = 'FR')
  ///
  /// Fetching throws ``DatabaseError`` with `SQLITE_MISUSE` when there is no such key or index.
  public func filter(key: [String: (any DatabaseValueConvertible)?]) -> Refined {
    filter(keys: [key])
  }

  /// Keeps the rows with the given values in the columns of a primary key or a unique index.
  ///
  ///     Player.filter(keys: [["email": "arthur@example.com"], ["email": "zoe@example.com"]])
  ///     // SELECT * FROM "player"
  ///     // WHERE ("email" = 'arthur@example.com') OR ("email" = 'zoe@example.com')
  public func filter(keys: [[String: (any DatabaseValueConvertible)?]]) -> Refined {
    filter(keys: .unique(keys.map { $0.mapValues { KeyValue($0 ?? DatabaseValue.null) } }))
  }

  private func filter(keys: KeyCondition.Keys) -> Refined {
    var keys = keys
    if case .primary(let values) = keys {
      keys = .primary(values.filter { $0 != .value(.null) })
    }
    return filter(SQLExpression(KeyCondition(keys, of: RowDecoder.self)))
  }
}

extension RefinableRequest where RowDecoder: Identifiable, RowDecoder.ID: DatabaseValueConvertible {
  /// Keeps the row with the given primary key.
  ///
  ///     Player.filter(id: 1)
  ///     // SELECT * FROM "player" WHERE "id" = 1
  public func filter(id: RowDecoder.ID) -> Refined { filter(key: id) }

  /// Keeps the rows with the given primary keys.
  ///
  ///     Player.filter(ids: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public func filter(ids: any Sequence<RowDecoder.ID>) -> Refined { filter(keys: ids) }
}

extension RefinableRequest where RowDecoder: Identifiable {
  /// Keeps the rows with the given primary keys, of records with an optional one: `var id: Int64?`.
  ///
  ///     Table<Player>("player").filter(ids: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public func filter<Key: DatabaseValueConvertible>(
    ids: any Sequence<Key>
  ) -> Refined where RowDecoder.ID == Key? {
    filter(keys: ids)
  }
}

extension RefinableRequest {
  /// Groups rows with equal values, and returns one row for each group. A later grouping replaces
  /// an earlier one.
  ///
  ///     Player.select(Column("teamID"), max(Column("score"))).group(Column("teamID"))
  ///     // SELECT "teamID", MAX("score") FROM "player" GROUP BY "teamID"
  public func group(_ expressions: any SQLExpressible...) -> Refined { group(expressions) }

  /// Groups rows with equal values, and returns one row for each group.
  ///
  ///     Player.select(Column("teamID"), max(Column("score"))).group([Column("teamID")])
  ///     // SELECT "teamID", MAX("score") FROM "player" GROUP BY "teamID"
  public func group(_ expressions: [any SQLExpressible]) -> Refined {
    refined { $0.group = GroupByClause(expressions: expressions.map(\.node)) }
  }

  /// Groups rows with equal values of terms in SQL, and returns one row for each group.
  ///
  ///     Player.select(sql: "DATE(createdAt), COUNT(*)").group(sql: "DATE(createdAt)")
  ///     // SELECT DATE(createdAt), COUNT(*) FROM "player" GROUP BY DATE(createdAt)
  public func group(
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) -> Refined {
    group(SQL(sql: sql, arguments: arguments))
  }

  /// Groups rows with equal values of terms in SQL, and returns one row for each group.
  ///
  ///     Player.select(sql: "score / 10, COUNT(*)").group(literal: "score / \(10)")
  ///     // SELECT score / 10, COUNT(*) FROM "player" GROUP BY score / 10
  public func group(literal: SQL) -> Refined { group(literal) }

  /// Groups rows by their primary key.
  ///
  ///     Player.all().groupByPrimaryKey()
  ///     // SELECT * FROM "player" GROUP BY "id"
  public func groupByPrimaryKey() -> Refined { group(SQLExpression(PrimaryKeyColumns())) }
}

extension RefinableRequest where RowDecoder: TableRecord {
  /// Groups rows with equal values, and returns one row for each group. A later grouping replaces
  /// an earlier one.
  ///
  ///     Player.select { [$0.teamID, $0.score / 10] }.group { [$0.teamID, $0.score / 10] }
  ///     // SELECT "teamID", "score" / 10 FROM "player" GROUP BY "teamID", "score" / 10
  public func group(
    _ expressions: (RowDecoder.DatabaseComponents) throws -> [any SQLExpressible]
  ) rethrows -> Refined {
    group(try expressions(RowDecoder.databaseComponents))
  }

  /// Groups rows with equal values, and returns one row for each group. A later grouping replaces
  /// an earlier one.
  ///
  ///     Player.select { [$0.teamID, max($0.score)] }.group(\.teamID)
  ///     // SELECT "teamID", MAX("score") FROM "player" GROUP BY "teamID"
  public func group(
    _ expression: (RowDecoder.DatabaseComponents) throws -> some SQLExpressible
  ) rethrows -> Refined {
    group([try expression(RowDecoder.databaseComponents)])
  }
}
