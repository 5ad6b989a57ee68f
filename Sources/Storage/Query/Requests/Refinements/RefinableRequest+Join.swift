/// A type that a request can join: a ``Table``, a ``TableAlias``, a request or a
/// ``CommonTableExpression``.
///
/// An ``Association`` implies its condition: see ``RefinableRequest/including(required:)``.
public protocol JoinableTable {
  /// The table as part of a request that joins it.
  var joinedTable: JoinedTable { get }
}

extension Table: JoinableTable {
  /// The join of all columns and rows.
  public var joinedTable: JoinedTable {
    JoinedTable(table: tableReference, selection: [AllColumns().sqlSelection])
  }
}

extension TableAlias: JoinableTable where RowDecoder: TableRecord {
  /// The join of all rows, with the default selection of the record type.
  public var joinedTable: JoinedTable {
    JoinedTable(table: tableReference, selection: RowDecoder.databaseSelection.map(\.sqlSelection))
  }
}

extension QueryInterfaceRequest: JoinableTable {
  /// The join of the rows that satisfy the request's filters, with the request's selection and
  /// common table expressions. Its order has no effect.
  ///
  /// A join has no other clauses: if this request is limited, distinct or grouped, or joins or
  /// includes other tables, the request that joins it throws ``DatabaseError`` with
  /// `SQLITE_MISUSE`.
  public var joinedTable: JoinedTable {
    var statement = selectStatement
    statement.moveAggregatesToFilter()
    let failure = statement.clauseThatCannotBeJoined.map { clause in
      FailedExpression(
        message: """
          the joined request of \(statement.from.table.tableName) has \(clause), which a join cannot \
          express: join a CommonTableExpression of the request
          """
      ).node
    }
    return JoinedTable(
      table: statement.from.table,
      selection: statement.select.selection,
      conditions: statement.filter.conditions + [failure].compactMap(\.self),
      with: statement.with
    )
  }
}

extension SelectStatement {
  /// A clause of a request that its join with another request would lose.
  fileprivate var clauseThatCannotBeJoined: String? {
    if let clause = clauseThatJoinsLack { return "a \(clause)" }
    if !from.joins.isEmpty { return "a join" }
    return associations.isEmpty ? nil : "an association"
  }
}

/// A table as part of a request that joins it.
public struct JoinedTable: Hashable, Sendable {
  let table: TableReference
  /// The selected columns.
  let selection: [SQLSelection]
  /// The conditions on the rows that are joined.
  var conditions: [ExpressionNode] = []
  /// The common table expressions that the conditions and columns read.
  var with = WithClause()

  func clause(_ kind: JoinClause.Kind, on condition: SQLExpression?) -> JoinClause {
    let own = conditions.map { OwnedExpression(expression: $0, table: table).node }
    return JoinClause(
      kind: kind,
      table: table,
      conditions: (condition.map { [$0.node] } ?? []) + own,
      selection: selection.map { SQLSelection(.owned($0, by: table)) },
      scope: [table.name]
    )
  }
}

extension RefinableRequest {
  /// Joins the rows of another table for which a condition is true.
  ///
  ///     let users = Table("users"), posts = Table("posts")
  ///     users.all().join(posts, on: posts[Column("userID")] == users[Column("id")])
  ///     // SELECT "users".*, "posts".* FROM "users"
  ///     // JOIN "posts" ON "posts"."userID" = "users"."id"
  ///
  /// In the fetched rows, the columns of each table form a scope named after the table. The row
  /// itself shows the columns of the request's own table. Every column is written with its table.
  /// In the condition, an unqualified column that several tables have is an error.
  public func join(_ table: any JoinableTable, on condition: any SQLCondition) -> Refined {
    joining(table.joinedTable, .inner, on: condition.sqlExpression)
  }

  /// Joins the rows of another table for which a condition is true. Rows without a match are kept,
  /// with NULL in the columns of the other table.
  ///
  ///     users.all().leftJoin(posts, on: posts[Column("userID")] == users[Column("id")])
  ///     // SELECT "users".*, "posts".* FROM "users"
  ///     // LEFT JOIN "posts" ON "posts"."userID" = "users"."id"
  public func leftJoin(_ table: any JoinableTable, on condition: any SQLCondition) -> Refined {
    joining(table.joinedTable, .left, on: condition.sqlExpression)
  }

  /// Joins each row with each row of another table.
  ///
  ///     users.all().crossJoin(posts)
  ///     // SELECT "users".*, "posts".* FROM "users" CROSS JOIN "posts"
  public func crossJoin(_ table: any JoinableTable) -> Refined {
    joining(table.joinedTable, .cross, on: nil)
  }

  private func joining(
    _ table: JoinedTable,
    _ kind: JoinClause.Kind,
    on condition: SQLExpression?
  ) -> Refined {
    refined { statement in
      var table = table
      for definition in table.with.tables {
        if let other = statement.with.tables.first(where: { $0.hasSameName(as: definition) }),
          other != definition
        {
          table.conditions.append(
            FailedExpression(
              message: """
                the request and the request that it joins define different common tables \
                \(definition.name): give one of them another name
                """
            ).node
          )
        }
        statement.with.append(definition)
      }
      statement.from.joins.append(table.clause(kind, on: condition))
    }
  }

  /// Gives an alias to the table of the request.
  ///
  ///     let manager = TableAlias<Employee>(name: "manager")
  ///     Employee.all().aliased(manager)
  ///     // SELECT * FROM "employee" "manager"
  public func aliased<Record>(_ alias: TableAlias<Record>) -> Refined {
    refined { statement in
      let reference = alias.tableReference
      if let name = reference.alias { statement.from.table.alias = name }
      statement.from.table.identities += reference.identities
    }
  }
}

extension RefinableRequest where RowDecoder: TableRecord {
  /// Joins the rows of another record's table for which a condition is true.
  ///
  ///     Player.all().join(Team.self) { player, team in team.id == player.teamID }
  ///     // SELECT "player".*, "team".* FROM "player"
  ///     // JOIN "team" ON "team"."id" = "player"."teamID"
  public func join<Other: TableRecord>(
    _ type: Other.Type,
    on condition: (TableAlias<RowDecoder>, TableAlias<Other>) throws -> some SQLCondition
  ) rethrows -> Refined {
    let (request, own) = aliasedRequest
    let other = TableAlias<Other>(of: Other.databaseTableName)
    return request.join(other, on: try condition(own, other).sqlExpression)
  }

  /// Joins the rows of another record's table for which a condition is true. Rows without a match
  /// are kept.
  ///
  ///     Player.all().leftJoin(Team.self) { player, team in team.id == player.teamID }
  ///     // SELECT "player".*, "team".* FROM "player"
  ///     // LEFT JOIN "team" ON "team"."id" = "player"."teamID"
  public func leftJoin<Other: TableRecord>(
    _ type: Other.Type,
    on condition: (TableAlias<RowDecoder>, TableAlias<Other>) throws -> some SQLCondition
  ) rethrows -> Refined {
    let (request, own) = aliasedRequest
    let other = TableAlias<Other>(of: Other.databaseTableName)
    return request.leftJoin(other, on: try condition(own, other).sqlExpression)
  }

  /// The request, and an alias of its table.
  private var aliasedRequest: (Refined, TableAlias<RowDecoder>) {
    let alias = TableAlias<RowDecoder>(of: all().selectStatement.from.table.tableName)
    return (aliased(alias), alias)
  }
}
