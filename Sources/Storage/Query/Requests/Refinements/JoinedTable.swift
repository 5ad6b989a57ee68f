/// A table as part of a request that joins it.
public struct JoinedTable: Hashable, Sendable {
  let table: TableReference
  /// The selected columns.
  let selection: [SQLSelection]
  /// The conditions on the rows that are joined.
  var conditions: [ExpressionNode] = []

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
