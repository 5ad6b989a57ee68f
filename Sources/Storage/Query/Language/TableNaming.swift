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

/// How an expression refers to a table of a request whose name is chosen when the request is
/// written.
enum TableIdentity: Hashable, Sendable {
  /// The table to which an alias without a name was given.
  case alias(AliasToken)
  /// The table whose rows have an association, in the condition of the association.
  case origin
  /// The table to which an association leads, in the condition of the association.
  case destination
  /// The table of an association, by the keys that lead to it from the table of the expression.
  case path([String])
  /// The table that is joined for aggregates of an association, by the tables that lead to it.
  case aggregated([AssociationPath.Step])
  /// The table joined for aggregates whose rows no other join multiplies.
  case alone
}

/// The identity of an alias without a name.
///
/// All tokens compare equal: requests are equal if they are written equally, whether or not their
/// aliases were created by the same call. ``SelectStatement`` compares the written SQL.
final class AliasToken: Hashable, Sendable {
  static func == (left: AliasToken, right: AliasToken) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

extension TableIdentity {
  /// Whether both refer to the same table of one statement.
  func isSame(as other: TableIdentity) -> Bool {
    if case .alias(let left) = self, case .alias(let right) = other { return left === right }
    return self == other
  }
}
