/// An alias of a table in one request, which distinguishes its columns from those of other tables.
///
///     let manager = TableAlias<Employee>(name: "manager")
///     Employee.all().join(manager, on: manager.id == Column("managerID"))
///     // SELECT "employee".*, "manager".* FROM "employee"
///     // JOIN "employee" "manager" ON "manager"."id" = "employee"."managerID"
///
/// Without a name, the alias stands for the table under its own name.
@dynamicMemberLookup
public struct TableAlias<RowDecoder>: TableNaming, Hashable, Sendable {
  /// The table under its alias.
  public let tableReference: TableReference

  init(reference: TableReference) {
    tableReference = reference
  }

  /// Whether a `LEFT JOIN` found a row of the table.
  ///
  ///     manager.exists
  ///     // "manager"."id" IS NOT NULL
  public var exists: SQLExpression {
    self[SQLExpression(PrimaryKeyColumns())] != nil
  }
}

extension TableAlias where RowDecoder == () {
  /// Creates an alias for any table.
  public init(name: String) {
    tableReference = TableReference(tableName: name)
  }
}

extension TableAlias where RowDecoder: TableRecord {
  /// Creates an alias for the table of a record type.
  public init(name: String? = nil, for type: RowDecoder.Type = RowDecoder.self) {
    tableReference = TableReference(tableName: type.databaseTableName, alias: name)
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
