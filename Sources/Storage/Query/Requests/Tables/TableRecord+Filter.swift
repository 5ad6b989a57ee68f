extension TableRecord {
  /// The rows for which a condition is true.
  ///
  ///     Player.filter(Column("score") >= 1000)
  ///     // SELECT * FROM "player" WHERE "score" >= 1000
  public static func filter(_ condition: any SQLCondition) -> QueryInterfaceRequest<Self> {
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
  public static func filter(literal: SQL) -> QueryInterfaceRequest<Self> {
    all().filter(literal: literal)
  }

  /// The rows of a full-text table that match a pattern; none when there is no pattern: see
  /// ``DerivableRequest/matching(_:)``.
  ///
  ///     Document.matching("sqlite database")
  ///     // SELECT * FROM "document" WHERE "document" MATCH 'sqlite database'
  public static func matching(_ pattern: (any SQLExpressible)?) -> QueryInterfaceRequest<Self> {
    all().matching(pattern)
  }

  /// The row with a primary key: see ``DerivableRequest/filter(key:)-(DatabaseValueConvertible)``.
  ///
  ///     Player.filter(key: 1)
  ///     // SELECT * FROM "player" WHERE "id" = 1
  public static func filter(key: any DatabaseValueConvertible) -> QueryInterfaceRequest<Self> {
    all().filter(key: key)
  }

  /// The rows with some primary keys.
  ///
  ///     Player.filter(keys: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public static func filter<Key: DatabaseValueConvertible>(
    keys: any Sequence<Key>
  ) -> QueryInterfaceRequest<Self> {
    all().filter(keys: keys)
  }

  /// The row with given values in the columns of a primary key, or of a unique index.
  ///
  ///     Player.filter(key: ["email": "arthur@example.com"])
  ///     // SELECT * FROM "player" WHERE "email" = 'arthur@example.com'
  public static func filter(
    key: [String: (any DatabaseValueConvertible)?]
  ) -> QueryInterfaceRequest<Self> {
    all().filter(key: key)
  }

  /// The rows with given values in the columns of a primary key, or of a unique index.
  ///
  ///     Player.filter(keys: [["email": "arthur@example.com"], ["email": "zoe@example.com"]])
  ///     // SELECT * FROM "player" WHERE ("email" = 'arthur@example.com') OR ("email" = 'zoe@example.com')
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
  public static func filter(id: ID) -> QueryInterfaceRequest<Self> { all().filter(id: id) }

  /// The rows with some primary keys.
  ///
  ///     Player.filter(ids: [1, 2, 3])
  ///     // SELECT * FROM "player" WHERE "id" IN (1, 2, 3)
  public static func filter(ids: any Sequence<ID>) -> QueryInterfaceRequest<Self> {
    all().filter(ids: ids)
  }
}
