extension Table {
  /// Joins the rows of another table for which a condition is true: see ``DerivableRequest``.
  ///
  ///     users.join(posts, on: posts[Column("userID")] == users[Column("id")])
  ///     // SELECT "users".*, "posts".* FROM "users"
  ///     // JOIN "posts" ON "posts"."userID" = "users"."id"
  public func join(
    _ table: any JoinableTable,
    on condition: any SQLCondition
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().join(table, on: condition)
  }

  /// Joins the rows of another table for which a condition is true. Rows without a match are kept.
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

  /// Gives an alias to the table.
  ///
  ///     users.aliased(TableAlias(name: "managers"))
  ///     // SELECT * FROM "users" "managers"
  public func aliased<Record>(_ alias: TableAlias<Record>) -> QueryInterfaceRequest<RowDecoder> {
    all().aliased(alias)
  }
}
