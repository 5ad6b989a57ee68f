extension TableRecord {
  /// Returns a request for the rows in an order.
  ///
  ///     Player.order(Column("score").desc, Column("name"))
  ///     // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  public static func order(_ terms: any SQLOrderingTerm...) -> QueryInterfaceRequest<Self> {
    all().order(terms)
  }

  /// Returns a request for the rows in an order.
  ///
  ///     Player.order([Column("score").desc, Column("name")])
  ///     // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  public static func order(_ terms: [any SQLOrderingTerm]) -> QueryInterfaceRequest<Self> {
    all().order(terms)
  }

  /// Returns a request for the rows in an order.
  ///
  ///     Player.order { [$0.score.desc, $0.name] }
  ///     // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  public static func order(
    _ terms: (DatabaseComponents) throws -> [any SQLOrderingTerm]
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().order(terms)
  }

  /// Returns a request for the rows in an order.
  ///
  ///     Player.order(\.score.desc)
  ///     // SELECT * FROM "player" ORDER BY "score" DESC
  public static func order(
    _ term: (DatabaseComponents) throws -> some SQLOrderingTerm
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().order(term)
  }

  /// Returns a request for the rows in an order by terms in SQL.
  ///
  ///     Player.order(sql: "score DESC, name")
  ///     // SELECT * FROM "player" ORDER BY score DESC, name
  public static func order(
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<Self> {
    all().order(sql: sql, arguments: arguments)
  }

  /// Returns a request for the rows in an order by terms in SQL.
  ///
  ///     Player.order(literal: "ABS(score - \(1000))")
  ///     // SELECT * FROM "player" ORDER BY ABS(score - 1000)
  public static func order(literal: SQL) -> QueryInterfaceRequest<Self> {
    all().order(literal: literal)
  }

  /// Returns a request for the rows in the order of their primary key.
  ///
  ///     Player.orderByPrimaryKey()
  ///     // SELECT * FROM "player" ORDER BY "id"
  public static func orderByPrimaryKey() -> QueryInterfaceRequest<Self> {
    all().orderByPrimaryKey()
  }
}
