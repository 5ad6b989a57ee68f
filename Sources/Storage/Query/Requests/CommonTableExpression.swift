/// A named query that a request reads like a table.
///
///     let leaders = CommonTableExpression<Player>(
///       named: "leader",
///       request: Player.filter { $0.score >= 1000 }
///     )
///     leaders.all().with(leaders)
///     // WITH "leader" AS (SELECT * FROM "player" WHERE "score" >= 1000) SELECT * FROM "leader"
///
/// A recursive expression reads its own rows:
///
///     let counter = CommonTableExpression<Int>(
///       recursive: true,
///       named: "counter",
///       columns: ["x"],
///       literal: "VALUES(1) UNION ALL SELECT x + 1 FROM counter WHERE x < \(10)"
///     )
///     counter.all().with(counter)
///     // WITH RECURSIVE "counter"("x") AS (VALUES(1) UNION ALL …) SELECT * FROM "counter"
public struct CommonTableExpression<RowDecoder>: Hashable, Sendable {
  let table: CommonTable

  /// The name of the expression.
  public var tableName: String { table.name }

  private init(
    _ name: String,
    isRecursive: Bool,
    _ columns: [String],
    _ query: some SQLSubqueryable
  ) {
    table = CommonTable(
      name: name,
      columns: columns,
      isRecursive: isRecursive,
      query: query.sqlSubquery
    )
  }

  /// Returns a request for all rows. The request also needs the expression itself: see
  /// ``RefinableRequest/with(_:)``.
  ///
  ///     leaders.all().with(leaders)
  ///     // WITH "leader" AS (SELECT …) SELECT * FROM "leader"
  public func all() -> QueryInterfaceRequest<RowDecoder> {
    QueryInterfaceRequest(allIn: tableReference)
  }
}

extension CommonTableExpression {
  /// Creates an expression from a request.
  public init(
    recursive: Bool = false,
    named name: String,
    columns: [String] = [],
    request: some SQLSubqueryable
  ) {
    self.init(name, isRecursive: recursive, columns, request)
  }

  /// Creates an expression from a query in SQL.
  public init(
    recursive: Bool = false,
    named name: String,
    columns: [String] = [],
    literal: SQL
  ) {
    self.init(name, isRecursive: recursive, columns, SQLRequest<RowDecoder>(literal: literal))
  }

  /// Creates an expression from a query in SQL.
  public init(
    recursive: Bool = false,
    named name: String,
    columns: [String] = [],
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) {
    let literal = SQL(sql: sql, arguments: arguments)
    self.init(name, isRecursive: recursive, columns, SQLRequest<RowDecoder>(literal: literal))
  }
}

// Without a type, the rows are fetched as `Row`.
extension CommonTableExpression<Row> {
  /// Creates an expression from a request, whose rows are fetched as ``Row``.
  public init(
    recursive: Bool = false,
    named name: String,
    columns: [String] = [],
    request: some SQLSubqueryable
  ) {
    self.init(name, isRecursive: recursive, columns, request)
  }

  /// Creates an expression from a query in SQL, whose rows are fetched as ``Row``.
  public init(
    recursive: Bool = false,
    named name: String,
    columns: [String] = [],
    literal: SQL
  ) {
    self.init(name, isRecursive: recursive, columns, SQLRequest<Row>(literal: literal))
  }

  /// Creates an expression from a query in SQL, whose rows are fetched as ``Row``.
  public init(
    recursive: Bool = false,
    named name: String,
    columns: [String] = [],
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) {
    let literal = SQL(sql: sql, arguments: arguments)
    self.init(name, isRecursive: recursive, columns, SQLRequest<Row>(literal: literal))
  }
}

extension CommonTableExpression: TableNaming {
  /// The name of the expression, used as a table.
  public var tableReference: TableReference { TableReference(table) }
}

extension CommonTableExpression {
  /// Returns whether an expression is among the rows, which have one column.
  ///
  ///     let ids = CommonTableExpression<Int64>(named: "ids", sql: "SELECT playerID FROM award")
  ///     Player.filter { ids.contains($0.id) }.with(ids)
  ///     // WITH "ids" AS (SELECT playerID FROM award)
  ///     // SELECT * FROM "player" WHERE "id" IN "ids"
  public func contains(_ element: some SQLExpressible) -> SQLExpression {
    SQLExpression(Membership(element: element.node, collection: .table(tableName)))
  }
}

extension CommonTableExpression: JoinableTable {
  /// The join of all columns and rows.
  public var joinedTable: JoinedTable {
    JoinedTable(
      table: tableReference,
      selection: [AllColumns().sqlSelection]
    )
  }
}

extension RefinableRequest {
  /// Adds a named query that the request can read like a table.
  ///
  ///     Player.filter { leaders.all().select(Column("id")).contains($0.id) }.with(leaders)
  ///     // WITH "leader" AS (SELECT …)
  ///     // SELECT * FROM "player" WHERE "id" IN (SELECT "id" FROM "leader")
  public func with<Other>(_ expression: CommonTableExpression<Other>) -> Refined {
    refined { $0.with.append(expression.table) }
  }
}
