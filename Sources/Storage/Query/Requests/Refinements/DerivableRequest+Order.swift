extension DerivableRequest {
  /// Sorts the rows. A later order replaces an earlier one.
  ///
  ///     Player.order(Column("score").desc, Column("name"))
  ///     // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  public func order(_ terms: any SQLOrderingTerm...) -> Self { order(terms) }

  /// Sorts the rows.
  ///
  ///     Player.all().order([Column("score").desc, Column("name")])
  ///     // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  public func order(_ terms: [any SQLOrderingTerm]) -> Self {
    changed { $0.selectStatement.order = OrderByClause(terms: terms.map(\.sqlOrdering)) }
  }

  /// Sorts the rows by terms in SQL.
  ///
  ///     Player.order(sql: "score DESC, name")
  ///     // SELECT * FROM "player" ORDER BY score DESC, name
  public func order(
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) -> Self {
    order(SQL(sql: sql, arguments: arguments))
  }

  /// Sorts the rows by terms in SQL.
  ///
  ///     Player.order(literal: "ABS(score - \(1000))")
  ///     // SELECT * FROM "player" ORDER BY ABS(score - 1000)
  public func order(literal: SQL) -> Self { order(literal) }

  /// Sorts the rows by their primary key.
  ///
  ///     Player.all().orderByPrimaryKey()
  ///     // SELECT * FROM "player" ORDER BY "id"
  public func orderByPrimaryKey() -> Self { order(SQLExpression(PrimaryKeyColumns())) }

  /// Reverses the order of the rows. A request without an order is returned unchanged.
  ///
  ///     Player.order { [$0.score.desc, $0.name] }.reversed()
  ///     // SELECT * FROM "player" ORDER BY "score" ASC, "name" DESC
  ///
  /// - Precondition: The order is not written in SQL.
  public func reversed() -> Self {
    changed { $0.selectStatement.order = $0.selectStatement.order.reversed }
  }

  /// Removes the order of the rows.
  ///
  ///     Player.order(\.name).unordered()
  ///     // SELECT * FROM "player"
  public func unordered() -> Self { changed { $0.selectStatement.order = OrderByClause() } }
}

extension DerivableRequest where RowDecoder: TableRecord {
  /// Sorts the rows. A later order replaces an earlier one.
  ///
  ///     Player.order { [$0.score.desc, $0.name] }
  ///     // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  public func order(
    _ terms: (RowDecoder.DatabaseComponents) throws -> [any SQLOrderingTerm]
  ) rethrows -> Self {
    order(try terms(RowDecoder.databaseComponents))
  }

  /// Sorts the rows. A later order replaces an earlier one.
  ///
  ///     Player.order(\.score.desc)
  ///     // SELECT * FROM "player" ORDER BY "score" DESC
  public func order(
    _ term: (RowDecoder.DatabaseComponents) throws -> some SQLOrderingTerm
  ) rethrows -> Self {
    order([try term(RowDecoder.databaseComponents)])
  }
}
