// Refinements that need the connection, for example to look up columns in the schema.

extension RefinableRequest {
  /// Selects result columns that depend on the connection. A later selection replaces an earlier
  /// one.
  ///
  ///     Player.all().selectWhenConnected { db in
  ///       try db.columns(in: "player").filter { $0.type == "TEXT" }.map { Column($0.name) }
  ///     }
  ///     // SELECT "name", "email" FROM "player"
  ///
  /// - Parameter selection: A closure that runs whenever the request is written. A request with a
  ///   closure is equal to its own copies only.
  /// - Returns: A refined request. The fetch throws the errors of the closure.
  public func selectWhenConnected(
    _ selection: @escaping @Sendable (Database) throws -> [any SQLSelectable]
  ) -> Refined {
    select([Self.connected(selection)])
  }

  /// Adds result columns that depend on the connection.
  ///
  ///     Player.all().annotatedWhenConnected { db in
  ///       [try db.primaryKey("player").columns.count.databaseValue.sqlExpression.forKey("count")]
  ///     }
  ///     // SELECT *, 1 AS "count" FROM "player"
  ///
  /// - Parameter selection: A closure that runs whenever the request is written. A request with a
  ///   closure is equal to its own copies only.
  /// - Returns: A refined request. The fetch throws the errors of the closure.
  public func annotatedWhenConnected(
    with selection: @escaping @Sendable (Database) throws -> [any SQLSelectable]
  ) -> Refined {
    annotated(with: [Self.connected(selection)])
  }

  private static func connected(
    _ selection: @escaping @Sendable (Database) throws -> [any SQLSelectable]
  ) -> SQLSelection {
    SQLSelection(.connected(ConnectedPart { try selection($0).map(\.sqlSelection) }))
  }

  /// Keeps the rows for which a condition is true that depends on the connection.
  ///
  ///     Player.all().filterWhenConnected { db in
  ///       Column(try db.primaryKey("player").columns[0]) > 10
  ///     }
  ///     // SELECT * FROM "player" WHERE "id" > 10
  ///
  /// - Parameter condition: A closure that runs whenever the request is written. A request with a
  ///   closure is equal to its own copies only.
  /// - Returns: A refined request. The fetch throws the errors of the closure.
  public func filterWhenConnected(
    _ condition: @escaping @Sendable (Database) throws -> any SQLCondition
  ) -> Refined {
    filter(Self.connected(condition))
  }

  /// Keeps the groups for which a condition is true that depends on the connection.
  ///
  ///     Player.select(\.teamID).group(\.teamID).havingWhenConnected { db in
  ///       max(Column(try db.primaryKey("player").columns[0])) > 10
  ///     }
  ///     // SELECT "teamID" FROM "player" GROUP BY "teamID" HAVING MAX("id") > 10
  ///
  /// - Parameter condition: A closure that runs whenever the request is written. A request with a
  ///   closure is equal to its own copies only.
  /// - Returns: A refined request. The fetch throws the errors of the closure.
  public func havingWhenConnected(
    _ condition: @escaping @Sendable (Database) throws -> any SQLCondition
  ) -> Refined {
    having(Self.connected(condition))
  }

  private static func connected(
    _ condition: @escaping @Sendable (Database) throws -> any SQLCondition
  ) -> SQLExpression {
    SQLExpression(ConnectedExpression(part: ConnectedPart { try condition($0).node }))
  }

  /// Groups rows with equal values of expressions that depend on the connection. A later grouping
  /// replaces an earlier one.
  ///
  ///     Player.all().groupWhenConnected { db in
  ///       try db.primaryKey("player").columns.map { Column($0) }
  ///     }
  ///     // SELECT * FROM "player" GROUP BY "id"
  ///
  /// - Parameter expressions: A closure that runs whenever the request is written. A request with a
  ///   closure is equal to its own copies only.
  /// - Returns: A refined request. The fetch throws the errors of the closure.
  public func groupWhenConnected(
    _ expressions: @escaping @Sendable (Database) throws -> [any SQLExpressible]
  ) -> Refined {
    let part = ConnectedPart { try expressions($0).map(\.node) }
    return group([SQLExpression(ConnectedExpressions(part: part))])
  }

  /// Sorts the rows by terms that depend on the connection. A later order replaces an earlier one.
  ///
  ///     Player.all().orderWhenConnected { db in
  ///       try db.primaryKey("player").columns.map { Column($0).desc }
  ///     }
  ///     // SELECT * FROM "player" ORDER BY "id" DESC
  ///
  /// - Parameter terms: A closure that runs whenever the request is written. A request with a
  ///   closure is equal to its own copies only.
  /// - Returns: A refined request. The fetch throws the errors of the closure.
  public func orderWhenConnected(
    _ terms: @escaping @Sendable (Database) throws -> [any SQLOrderingTerm]
  ) -> Refined {
    let part = ConnectedPart { try terms($0).map(\.sqlOrdering) }
    return order([SQLOrdering(.list(.connected(part)))])
  }
}
