/// A type that qualifies columns with the name of a table: a ``Table``, a ``TableAlias`` or a
/// ``CommonTableExpression``.
///
///     let users = Table("users"), posts = Table("posts")
///     users.join(posts, on: posts[Column("userID")] == users[Column("id")])
///     // SELECT "users".*, "posts".* FROM "users" JOIN "posts" ON "posts"."userID" = "users"."id"
public protocol TableNaming {
  /// The table under the name that the request uses.
  var tableReference: TableReference { get }
}

extension TableNaming {
  /// A column, or an expression of columns, qualified with the name of the table.
  ///
  ///     let users = Table("users")
  ///     users.select(users[Column("id")])
  ///     // SELECT "users"."id" FROM "users"
  public subscript(_ expression: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(OwnedExpression(expression: expression.node, table: tableReference))
  }

  /// A column, qualified with the name of the table.
  ///
  ///     let users = Table("users")
  ///     users.select(users["id"])
  ///     // SELECT "users"."id" FROM "users"
  public subscript(_ column: String) -> SQLExpression { self[Column(column)] }

  /// A column that holds JSON, qualified with the name of the table.
  ///
  ///     users[JSONColumn("address")]["city"]
  ///     // "users"."address" ->> 'city'
  public subscript(_ column: some SQLJSONExpressible) -> AnySQLJSONExpressible {
    AnySQLJSONExpressible(
      SQLExpression(OwnedExpression(expression: column.node, table: tableReference))
    )
  }

  /// A typed column or expression, qualified with the name of the table.
  ///
  ///     users[TypedColumn<Int64>("id")]
  ///     // "users"."id"
  public subscript<Expression: TypedExpressible>(
    _ expression: Expression
  ) -> TypedExpression<Expression.Value> {
    TypedExpression(self[expression.untyped])
  }

  /// All columns, qualified with the name of the table.
  ///
  ///     let users = Table("users")
  ///     users.select(users[.allColumns])
  ///     // SELECT "users".* FROM "users"
  public subscript(_ columns: AllColumns) -> SQLSelection {
    SQLSelection(.owned(columns.sqlSelection, by: tableReference))
  }
}
