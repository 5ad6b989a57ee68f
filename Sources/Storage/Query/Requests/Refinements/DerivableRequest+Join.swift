extension DerivableRequest {
  /// Joins the rows of another table for which a condition is true.
  ///
  ///     let users = Table("users"), posts = Table("posts")
  ///     users.all().join(posts, on: posts[Column("userID")] == users[Column("id")])
  ///     // SELECT "users".*, "posts".* FROM "users" JOIN "posts" ON "posts"."userID" = "users"."id"
  ///
  /// The columns of each table are a scope of the fetched rows, by the name of the table; those of the
  /// request's own table are also those of the row itself. Every column is written with its table; in
  /// the condition, a column that several tables have is an error.
  public func join(_ table: any JoinableTable, on condition: any SQLCondition) -> Self {
    joining(table.joinedTable, .inner, on: condition.sqlExpression)
  }

  /// Joins the rows of another table for which a condition is true. Rows without any such row stay, with
  /// NULL in the columns of the other table.
  ///
  ///     users.all().leftJoin(posts, on: posts[Column("userID")] == users[Column("id")])
  ///     // SELECT "users".*, "posts".* FROM "users"
  ///     // LEFT JOIN "posts" ON "posts"."userID" = "users"."id"
  public func leftJoin(_ table: any JoinableTable, on condition: any SQLCondition) -> Self {
    joining(table.joinedTable, .left, on: condition.sqlExpression)
  }

  /// Joins each row with each row of another table.
  ///
  ///     users.all().crossJoin(posts)
  ///     // SELECT "users".*, "posts".* FROM "users" CROSS JOIN "posts"
  public func crossJoin(_ table: any JoinableTable) -> Self {
    joining(table.joinedTable, .cross, on: nil)
  }

  private func joining(
    _ table: JoinedTable,
    _ kind: JoinClause.Kind,
    on condition: SQLExpression?
  ) -> Self {
    changed { $0.selectStatement.from.joins.append(table.clause(kind, on: condition)) }
  }

  /// Gives the table of the request another name.
  ///
  ///     let manager = TableAlias<Employee>(name: "manager")
  ///     Employee.all().aliased(manager)
  ///     // SELECT * FROM "employee" "manager"
  public func aliased<Record>(_ alias: TableAlias<Record>) -> Self {
    changed { $0.selectStatement.from.table.alias = alias.tableReference.name }
  }
}

extension DerivableRequest where RowDecoder: TableRecord {
  /// Joins the rows of another record's table for which a condition is true.
  ///
  ///     Player.all().join(Team.self) { player, team in team.id == player.teamID }
  ///     // SELECT "player".*, "team".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID"
  public func join<Other: TableRecord>(
    _ type: Other.Type,
    on condition: (TableAlias<RowDecoder>, TableAlias<Other>) throws -> some SQLCondition
  ) rethrows -> Self {
    let other = TableAlias<Other>()
    return join(other, on: try condition(alias, other).sqlExpression)
  }

  /// Joins the rows of another record's table for which a condition is true. Rows without any such row
  /// stay.
  ///
  ///     Player.all().leftJoin(Team.self) { player, team in team.id == player.teamID }
  ///     // SELECT "player".*, "team".* FROM "player"
  ///     // LEFT JOIN "team" ON "team"."id" = "player"."teamID"
  public func leftJoin<Other: TableRecord>(
    _ type: Other.Type,
    on condition: (TableAlias<RowDecoder>, TableAlias<Other>) throws -> some SQLCondition
  ) rethrows -> Self {
    let other = TableAlias<Other>()
    return leftJoin(other, on: try condition(alias, other).sqlExpression)
  }

  private var alias: TableAlias<RowDecoder> {
    TableAlias(reference: selectStatement.from.table)
  }
}

// MARK: - Table

extension Table {
  /// Joins the rows of another table for which a condition is true: see
  /// ``DerivableRequest``.
  ///
  ///     users.join(posts, on: posts[Column("userID")] == users[Column("id")])
  ///     // SELECT "users".*, "posts".* FROM "users" JOIN "posts" ON "posts"."userID" = "users"."id"
  public func join(
    _ table: any JoinableTable,
    on condition: any SQLCondition
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().join(table, on: condition)
  }

  /// Joins the rows of another table for which a condition is true. Rows without any such row stay.
  ///
  ///     users.leftJoin(posts, on: posts[Column("userID")] == users[Column("id")])
  ///     // SELECT "users".*, "posts".* FROM "users"
  ///     // LEFT JOIN "posts" ON "posts"."userID" = "users"."id"
  public func leftJoin(
    _ table: any JoinableTable,
    on condition: any SQLCondition
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().leftJoin(table, on: condition)
  }

  /// Gives the table another name.
  ///
  ///     users.aliased(TableAlias(name: "managers"))
  ///     // SELECT * FROM "users" "managers"
  public func aliased<Record>(_ alias: TableAlias<Record>) -> QueryInterfaceRequest<RowDecoder> {
    all().aliased(alias)
  }
}
