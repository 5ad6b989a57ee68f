// A trailing closure matches a parameter with any label. The functions without a closure therefore
// have no generic parameters: the type checker would try those too, and would not report a wrong
// term in a closure at that term.

// MARK: - WHERE

extension RefinableRequest {
  /// Keeps the rows for which a condition is true. Several filters are joined with `AND`.
  ///
  ///     Player.filter(Column("score") >= 1000)
  ///     // SELECT * FROM "player" WHERE "score" >= 1000
  public func filter(_ condition: any SQLCondition) -> Refined {
    refined { $0.filter.conditions.append(condition.node) }
  }

  /// Keeps the rows for which a condition in SQL is true.
  ///
  ///     Player.filter(sql: "score >= ?", arguments: [1000])
  ///     // SELECT * FROM "player" WHERE score >= 1000
  public func filter(
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) -> Refined {
    filter(SQL(sql: sql, arguments: arguments))
  }

  /// Keeps the rows for which a condition in SQL is true.
  ///
  ///     Player.filter(literal: "score >= \(1000)")
  ///     // SELECT * FROM "player" WHERE score >= 1000
  public func filter(literal: SQL) -> Refined {
    filter(literal)
  }
}

extension RefinableRequest where RowDecoder: TableRecord {
  /// Keeps the rows for which a condition is true. Several filters are joined with `AND`.
  ///
  ///     Player.filter { $0.score >= 1000 }
  ///     // SELECT * FROM "player" WHERE "score" >= 1000
  ///
  /// - Parameter condition: A closure that builds the condition from the columns of the record
  ///   type.
  /// - Returns: A refined request.
  public func filter(
    _ condition: (RowDecoder.DatabaseComponents) throws -> some SQLCondition
  ) rethrows -> Refined {
    filter(try condition(RowDecoder.databaseComponents).sqlExpression)
  }
}

// MARK: - MATCH

extension RefinableRequest {
  /// Keeps the rows of a full-text table that match a pattern; none if the pattern is `nil`.
  ///
  ///     Document.all().matching("sqlite database")
  ///     // SELECT * FROM "document" WHERE "document" MATCH 'sqlite database'
  ///
  /// The pattern is bound unchanged: fetching throws if it is not valid. Several patterns are
  /// joined with `AND`.
  public func matching(_ pattern: (any SQLExpressible)?) -> Refined {
    guard let pattern else { return none() }
    return filter(SQLExpression(TableMatch(pattern: pattern.node)))
  }
}

// MARK: - HAVING

extension RefinableRequest {
  /// Keeps the groups for which a condition is true. Several conditions are joined with `AND`.
  ///
  ///     Player.select(Column("teamID")).group(Column("teamID")).having(max(Column("score")) > 10)
  ///     // SELECT "teamID" FROM "player" GROUP BY "teamID" HAVING MAX("score") > 10
  public func having(_ condition: any SQLCondition) -> Refined {
    refined { $0.having.conditions.append(condition.node) }
  }

  /// Keeps the groups for which a condition in SQL is true.
  ///
  ///     Player.select(\.teamID).group(\.teamID).having(sql: "MAX(score) > ?", arguments: [10])
  ///     // SELECT "teamID" FROM "player" GROUP BY "teamID" HAVING MAX(score) > 10
  public func having(
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) -> Refined {
    having(SQL(sql: sql, arguments: arguments))
  }

  /// Keeps the groups for which a condition in SQL is true.
  ///
  ///     Player.select(\.teamID).group(\.teamID).having(literal: "MAX(score) > \(10)")
  ///     // SELECT "teamID" FROM "player" GROUP BY "teamID" HAVING MAX(score) > 10
  public func having(literal: SQL) -> Refined {
    having(literal)
  }
}

extension RefinableRequest where RowDecoder: TableRecord {
  /// Keeps the groups for which a condition is true. Several conditions are joined with `AND`.
  ///
  ///     Player.select(\.teamID).group(\.teamID).having { max($0.score) > 10 }
  ///     // SELECT "teamID" FROM "player" GROUP BY "teamID" HAVING MAX("score") > 10
  public func having(
    _ condition: (RowDecoder.DatabaseComponents) throws -> some SQLCondition
  ) rethrows -> Refined {
    having(try condition(RowDecoder.databaseComponents).sqlExpression)
  }
}

// A literal where a condition is expected. A parameter of type `Bool` would also take the result of
// Swift's `==` between two requests, or with `nil`.

extension RefinableRequest {
  /// Keeps all rows, or none.
  ///
  ///     Player.all().filter(false)
  ///     // SELECT * FROM "player" WHERE 0
  public func filter(_ condition: SQLBoolean) -> Refined { filter(condition.sqlExpression) }

  /// Keeps all groups, or none.
  ///
  ///     Player.select(\.teamID).group(\.teamID).having(true)
  ///     // SELECT "teamID" FROM "player" GROUP BY "teamID" HAVING 1
  public func having(_ condition: SQLBoolean) -> Refined { having(condition.sqlExpression) }
}

extension TableRecord {
  /// Returns a request for all rows, or for none.
  ///
  ///     Player.filter(true)
  ///     // SELECT * FROM "player" WHERE 1
  public static func filter(_ condition: SQLBoolean) -> QueryInterfaceRequest<Self> {
    all().filter(condition)
  }
}

// First mistakes with filters: these members do not compile, and name the correct code.

extension RefinableRequest {
  /// A string is not a condition: write `filter(sql:)`.
  @available(*, unavailable, message: "write filter(sql:arguments:) for a condition in SQL")
  public func filter(_ sql: String) -> Refined { none() }
}

extension RefinableRequest<Row> {
  /// Rows have no declared columns: write `filter(Column("name") == "Arthur")`.
  @available(
    *,
    unavailable,
    message: """
      a table without a record type declares no columns: write filter(Column("name") == …), or \
      Table<Player>("player")
      """
  )
  public func filter(
    _ condition: (UndeclaredColumns.Type) throws -> some SQLCondition
  ) rethrows -> Refined {
    none()
  }
}

extension TableRecord {
  /// A string is not a condition: write `filter(sql:)`.
  @available(*, unavailable, message: "write filter(sql:arguments:) for a condition in SQL")
  public static func filter(_ sql: String) -> QueryInterfaceRequest<Self> { none() }
}

// First mistakes with updates: these members do not compile, and name the correct code.

extension TableQuery where RowDecoder: TableRecord {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(*, unavailable, message: "write updateAll(db) { $0.name.set(to: …) }")
  @discardableResult
  public func update<Result>(
    _ db: Database,
    assignments: (RowDecoder.DatabaseComponents) throws -> Result
  ) throws -> Int {
    0
  }
}
