/// A query with a name, that a request reads like a table.
///
///     let leaders = CommonTableExpression<Player>(
///       named: "leader",
///       request: Player.filter { $0.score >= 1000 }
///     )
///     leaders.all().with(leaders)
///     // WITH "leader" AS (SELECT * FROM "player" WHERE "score" >= 1000) SELECT * FROM "leader"
///
/// A recursive one reads its own rows:
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

  /// Names a request.
  public init(
    recursive: Bool = false,
    named name: String,
    columns: [String] = [],
    request: some SQLSubqueryable
  ) {
    table = CommonTable(
      name: name,
      columns: columns,
      isRecursive: recursive,
      query: request.sqlSubquery
    )
  }

  /// Names a query in SQL.
  public init(
    recursive: Bool = false,
    named name: String,
    columns: [String] = [],
    literal: SQL
  ) {
    self.init(
      recursive: recursive,
      named: name,
      columns: columns,
      request: SQLRequest<RowDecoder>(literal: literal)
    )
  }

  /// Names a query in SQL.
  public init(
    recursive: Bool = false,
    named name: String,
    columns: [String] = [],
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) {
    self.init(
      recursive: recursive,
      named: name,
      columns: columns,
      literal: SQL(sql: sql, arguments: arguments)
    )
  }

  /// All rows. The request that reads them must be given the expression: see
  /// ``DerivableRequest/with(_:)``.
  ///
  ///     leaders.all().with(leaders)
  ///     // WITH "leader" AS (SELECT …) SELECT * FROM "leader"
  public func all() -> QueryInterfaceRequest<RowDecoder> { Table<RowDecoder>(table.name).all() }
}

extension CommonTableExpression: TableNaming {
  /// The query under its name.
  public var tableReference: TableReference { TableReference(table) }
}

extension CommonTableExpression: JoinableTable {
  /// All columns of all rows.
  public var joinedTable: JoinedTable {
    JoinedTable(
      table: tableReference,
      selection: [AllColumns().sqlSelection]
    )
  }
}

extension DerivableRequest {
  /// Gives a request a query that it reads like a table.
  ///
  ///     Player.filter { leaders.all().select(Column("id")).contains($0.id) }.with(leaders)
  ///     // WITH "leader" AS (SELECT …)
  ///     // SELECT * FROM "player" WHERE "id" IN (SELECT "id" FROM "leader")
  public func with<Other>(_ expression: CommonTableExpression<Other>) -> Self {
    changed { $0.selectStatement.with.append(expression.table) }
  }
}
