extension TableRecord {
  /// Returns a request for the rows for which a condition is true.
  ///
  ///     Player.filter(Column("score") >= 1000)
  ///     // SELECT * FROM "player" WHERE "score" >= 1000
  public static func filter(_ condition: any SQLCondition) -> QueryInterfaceRequest<Self> {
    all().filter(condition)
  }

  /// Returns a request for the rows for which a condition is true.
  ///
  ///     Player.filter { $0.score >= 1000 }
  ///     // SELECT * FROM "player" WHERE "score" >= 1000
  public static func filter(
    _ condition: (DatabaseComponents) throws -> some SQLCondition
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().filter(condition)
  }

  /// Returns a request for the rows for which a condition in SQL is true.
  ///
  ///     Player.filter(sql: "score >= ?", arguments: [1000])
  ///     // SELECT * FROM "player" WHERE score >= 1000
  public static func filter(
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<Self> {
    all().filter(sql: sql, arguments: arguments)
  }

  /// Returns a request for the rows for which a condition in SQL is true.
  ///
  ///     Player.filter(literal: "score >= \(1000)")
  ///     // SELECT * FROM "player" WHERE score >= 1000
  public static func filter(literal: SQL) -> QueryInterfaceRequest<Self> {
    all().filter(literal: literal)
  }

  /// Returns a request for the groups for which a condition is true: see
  /// ``RefinableRequest/having(_:)-(SQLCondition)``.
  ///
  ///     Player.having(max(Column("score")) > 10).group(\.teamID)
  ///     // SELECT * FROM "player" GROUP BY "teamID" HAVING MAX("score") > 10
  public static func having(_ condition: any SQLCondition) -> QueryInterfaceRequest<Self> {
    all().having(condition)
  }

  /// Returns a request for the groups for which a condition is true: see
  /// ``RefinableRequest/having(_:)-(SQLCondition)``.
  ///
  ///     Player.having { max($0.score) > 10 }.group(\.teamID)
  ///     // SELECT * FROM "player" GROUP BY "teamID" HAVING MAX("score") > 10
  public static func having(
    _ condition: (DatabaseComponents) throws -> some SQLCondition
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().having(condition)
  }

  /// Returns a request for the rows of a full-text table that match a pattern; none if the pattern
  /// is `nil`: see ``RefinableRequest/matching(_:)``.
  ///
  ///     Document.matching("sqlite database")
  ///     // SELECT * FROM "document" WHERE "document" MATCH 'sqlite database'
  public static func matching(_ pattern: (any SQLExpressible)?) -> QueryInterfaceRequest<Self> {
    all().matching(pattern)
  }

  /// Returns a request for the row with the given primary key: see
  /// ``RefinableRequest/filter(key:)-(DatabaseValueConvertible)``.
  ///
  ///     Player.filter(key: 1)
  ///     // SELECT * FROM "player" WHERE "id" = 1
  public static func filter(key: any DatabaseValueConvertible) -> QueryInterfaceRequest<Self> {
    all().filter(key: key)
  }

  /// Returns a request for the rows with the given primary keys.
  ///
  ///     Player.filter(keys: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public static func filter<Key: DatabaseValueConvertible>(
    keys: any Sequence<Key>
  ) -> QueryInterfaceRequest<Self> {
    all().filter(keys: keys)
  }

  /// Returns a request for the row with the given values in the columns of a primary key or a
  /// unique index.
  ///
  ///     Player.filter(key: ["email": "arthur@example.com"])
  ///     // SELECT * FROM "player" WHERE "email" = 'arthur@example.com'
  public static func filter(
    key: [String: (any DatabaseValueConvertible)?]
  ) -> QueryInterfaceRequest<Self> {
    all().filter(key: key)
  }

  /// Returns a request for the rows with the given values in the columns of a primary key or a
  /// unique index.
  ///
  ///     Player.filter(keys: [["email": "arthur@example.com"], ["email": "zoe@example.com"]])
  ///     // SELECT * FROM "player"
  ///     // WHERE ("email" = 'arthur@example.com') OR ("email" = 'zoe@example.com')
  public static func filter(
    keys: [[String: (any DatabaseValueConvertible)?]]
  ) -> QueryInterfaceRequest<Self> {
    all().filter(keys: keys)
  }
}

extension TableRecord where Self: Identifiable, ID: DatabaseValueConvertible {
  /// Returns a request for the row with the given primary key.
  ///
  ///     Player.filter(id: 1)
  ///     // SELECT * FROM "player" WHERE "id" = 1
  public static func filter(id: ID) -> QueryInterfaceRequest<Self> { all().filter(id: id) }

  /// Returns a request for the rows with the given primary keys.
  ///
  ///     Player.filter(ids: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public static func filter(ids: any Sequence<ID>) -> QueryInterfaceRequest<Self> {
    all().filter(ids: ids)
  }
}

extension TableRecord where Self: Identifiable {
  /// Returns a request for the rows with the given primary keys, of records with an optional one:
  /// `var id: Int64?`.
  ///
  ///     Player.filter(ids: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public static func filter<Key: DatabaseValueConvertible>(
    ids: any Sequence<Key>
  ) -> QueryInterfaceRequest<Self> where ID == Key? {
    all().filter(keys: ids)
  }
}

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
