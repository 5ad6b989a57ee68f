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
