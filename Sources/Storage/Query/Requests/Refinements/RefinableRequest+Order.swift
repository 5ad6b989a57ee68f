extension RefinableRequest {
  /// Sorts the rows. A later order replaces an earlier one.
  ///
  ///     Player.order(Column("score").desc, Column("name"))
  ///     // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  public func order(_ terms: any SQLOrderingTerm...) -> Refined { order(terms) }

  /// Sorts the rows.
  ///
  ///     Player.all().order([Column("score").desc, Column("name")])
  ///     // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  public func order(_ terms: [any SQLOrderingTerm]) -> Refined {
    refined { $0.order = OrderByClause(terms: terms.map(\.sqlOrdering)) }
  }

  /// Sorts the rows by terms in SQL.
  ///
  ///     Player.order(sql: "score DESC, name")
  ///     // SELECT * FROM "player" ORDER BY score DESC, name
  public func order(
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) -> Refined {
    order(SQL(sql: sql, arguments: arguments))
  }

  /// Sorts the rows by terms in SQL.
  ///
  ///     Player.order(literal: "ABS(score - \(1000))")
  ///     // SELECT * FROM "player" ORDER BY ABS(score - 1000)
  public func order(literal: SQL) -> Refined { order(literal) }

  /// Sorts the rows by their primary key.
  ///
  ///     Player.all().orderByPrimaryKey()
  ///     // SELECT * FROM "player" ORDER BY "id"
  public func orderByPrimaryKey() -> Refined { order([SQLOrdering(.list(.primaryKey))]) }

  /// Completes the order, so that the rows have the same order whenever they are fetched.
  ///
  ///     Player.order(\.score.desc).withStableOrder()
  ///     // SELECT * FROM "player" ORDER BY "score" DESC, "id"
  ///
  /// The primary key comes last: the key of the table, and the keys of associated tables. The rows
  /// of a view are sorted by all columns. A request for groups has no such order by its table's
  /// key, unless each group has one row.
  public func withStableOrder() -> Refined { refined { $0.makeOrderStable() } }

  /// Reverses the order of the rows. Rows without an order remain so.
  ///
  ///     Player.order { [$0.score.desc, $0.name] }.reversed()
  ///     // SELECT * FROM "player" ORDER BY "score" ASC, "name" DESC
  ///
  /// The order of joined associations is reversed, too, until a new order replaces this one:
  ///
  ///     Player.order(\.score).including(required: Player.team.order(\.name)).reversed()
  ///     // SELECT "player".*, "team".* FROM "player"
  ///     // JOIN "team" ON "team"."id" = "player"."teamID"
  ///     // ORDER BY "player"."score" DESC, "team"."name" DESC
  ///
  /// The associated rows of `including(all:)` keep their own order.
  ///
  /// An order that is written in SQL cannot be reversed: fetching the request throws a
  /// ``DatabaseError`` with `SQLITE_MISUSE`.
  public func reversed() -> Refined {
    refined { $0.order = $0.order.reversed }
  }

  /// Removes the order of the rows, and the order of the associations joined so far.
  ///
  ///     Player.order(\.name).unordered()
  ///     // SELECT * FROM "player"
  ///
  /// The associated rows of `including(all:)` keep their own order.
  public func unordered() -> Refined { refined { $0.removeOrder() } }
}

extension RefinableRequest where RowDecoder: TableRecord {
  /// Sorts the rows. A later order replaces an earlier one.
  ///
  ///     Player.order { [$0.score.desc, $0.name] }
  ///     // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  public func order(
    _ terms: (RowDecoder.DatabaseComponents) throws -> [any SQLOrderingTerm]
  ) rethrows -> Refined {
    order(try terms(RowDecoder.databaseComponents))
  }

  /// Sorts the rows. A later order replaces an earlier one.
  ///
  ///     Player.order(\.score.desc)
  ///     // SELECT * FROM "player" ORDER BY "score" DESC
  public func order(
    _ term: (RowDecoder.DatabaseComponents) throws -> some SQLOrderingTerm
  ) rethrows -> Refined {
    order([try term(RowDecoder.databaseComponents)])
  }
}
