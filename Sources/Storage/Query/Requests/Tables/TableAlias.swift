/// An alias of a table in one request, which distinguishes its columns from the columns of other
/// tables.
///
///     let manager = TableAlias<Employee>(name: "manager")
///     Employee.all().join(manager, on: manager.id == Column("managerID"))
///     // SELECT "employee".*, "manager".* FROM "employee"
///     // JOIN "employee" "manager" ON "manager"."id" = "employee"."managerID"
///
/// An alias denotes the table that it is given to by `aliased`, or that it is joined as. Without a
/// name, it leaves the table its name, or gets one where the request reads the table twice, for
/// example in a subquery:
///
///     let one = TableAlias<Player>()
///     let better = Player.filter { $0.teamID == one.teamID && $0.score > one.score }
///     Player.all().aliased(one).filter(!better.exists())
///     // SELECT * FROM "player" "player1" WHERE NOT EXISTS (SELECT * FROM "player"
///     // WHERE ("teamID" = "player1"."teamID") AND ("score" > "player1"."score"))
///
///     let team = TableAlias()
///     Player.joining(required: Player.team.aliased(team)).filter(team[Column("color")] == "red")
///     // SELECT "player".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID"
///     // WHERE "team"."color" = 'red'
///
/// An alias with a name that a table of a subquery has too, and that the subquery refers to, is an
/// error when the request is written. So is an alias that no table was given, where the request
/// reads the table several times.
@dynamicMemberLookup
public struct TableAlias<RowDecoder>: TableNaming, Hashable, Sendable {
  /// The table under its alias.
  public let tableReference: TableReference

  init(reference: TableReference) {
    tableReference = reference
  }

  /// Creates an alias without a name.
  init(of tableName: String) {
    self.init(tableName: tableName, name: nil)
  }

  private init(tableName: String, name: String?) {
    tableReference = TableReference(
      tableName: tableName,
      alias: name,
      identities: [.alias(AliasToken())]
    )
  }

  /// Whether a `LEFT JOIN` found a row of the table.
  ///
  ///     manager.exists
  ///     // "manager"."id" IS NOT NULL
  ///
  /// The rows of a view without a key, and the rows of a common table expression, exist if one of
  /// their columns is not NULL.
  public var exists: SQLExpression { self[SQLExpression(RowExistence())] }
}

extension TableAlias where RowDecoder == () {
  /// Creates an alias for any table.
  public init(name: String? = nil) {
    self.init(tableName: name ?? "", name: name)
  }
}

extension TableAlias where RowDecoder: TableRecord {
  /// Creates an alias for the table of a record type.
  public init(name: String? = nil, for type: RowDecoder.Type = RowDecoder.self) {
    self.init(tableName: type.databaseTableName, name: name)
  }

  /// A column of the table.
  ///
  ///     manager.name
  ///     // "manager"."name"
  public subscript<Expression: SQLSpecificExpressible>(
    dynamicMember keyPath: KeyPath<RowDecoder.DatabaseComponents, Expression>
  ) -> SQLExpression {
    self[RowDecoder.databaseComponents[keyPath: keyPath]]
  }

  /// A column of the table that holds JSON.
  ///
  ///     let other = TableAlias<Player>(name: "other")
  ///     other.info["city"]
  ///     // "other"."info" ->> 'city'
  public subscript<Expression: SQLJSONExpressible>(
    dynamicMember keyPath: KeyPath<RowDecoder.DatabaseComponents, Expression>
  ) -> AnySQLJSONExpressible {
    self[RowDecoder.databaseComponents[keyPath: keyPath]]
  }

  /// A typed column of the table.
  ///
  ///     manager.name
  ///     // "manager"."name"
  public subscript<Expression: TypedExpressible>(
    dynamicMember keyPath: KeyPath<RowDecoder.DatabaseComponents, Expression>
  ) -> TypedExpression<Expression.Value> {
    self[RowDecoder.databaseComponents[keyPath: keyPath]]
  }
}
