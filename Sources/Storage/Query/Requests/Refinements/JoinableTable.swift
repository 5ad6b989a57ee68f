/// What a request can join: a ``Table``, a ``TableAlias``, a request, a ``CommonTableExpression``.
///
/// Associations, which know their condition by themselves, will be joinable too.
public protocol JoinableTable {
  /// How the table enters another request.
  var joinedTable: JoinedTable { get }
}

/// A table as it enters a request that joins it.
public struct JoinedTable: Hashable, Sendable {
  let table: TableReference
  /// What is selected of it.
  let selection: [SQLSelection]
  /// Which of its rows are joined.
  var conditions: [ExpressionNode] = []

  func clause(_ kind: JoinClause.Kind, on condition: SQLExpression?) -> JoinClause {
    let own = conditions.map { OwnedExpression(expression: $0, table: table).node }
    return JoinClause(
      kind: kind,
      table: table,
      conditions: (condition.map { [$0.node] } ?? []) + own,
      selection: selection.map { SQLSelection(.owned($0, by: table)) }
    )
  }
}

extension Table: JoinableTable {
  /// All columns of all rows.
  public var joinedTable: JoinedTable {
    JoinedTable(table: tableReference, selection: [AllColumns().sqlSelection])
  }
}

extension TableAlias: JoinableTable where RowDecoder: TableRecord {
  /// The default selection of the record type, of all rows.
  public var joinedTable: JoinedTable {
    JoinedTable(table: tableReference, selection: RowDecoder.databaseSelection.map(\.sqlSelection))
  }
}

extension QueryInterfaceRequest: JoinableTable {
  /// The selection of the request, of the rows that fulfil its filters.
  public var joinedTable: JoinedTable {
    JoinedTable(
      table: selectStatement.from.table,
      selection: selectStatement.select.selection,
      conditions: selectStatement.filter.conditions
    )
  }
}
