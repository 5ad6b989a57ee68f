// `ORDER BY` sees the names of result columns before those of the tables' columns. Window
// functions, `WHERE`, and the selection itself do not. An order that moves there is therefore
// written with the expressions of the result columns:
//
//     SELECT *, "score" * 2 AS "total" FROM "player" ORDER BY "total"
//     SELECT *, "score" * 2 AS "total", ROW_NUMBER() OVER (ORDER BY "score" * 2) FROM "player"
//
// https://www.sqlite.org/lang_select.html#the_order_by_clause

/// A term of `ORDER BY` in another clause of the same statement.
struct MovedOrderTerm: ExpressionPart {
  let term: ExpressionNode
  /// The result columns that have names.
  let columns: [SQLSelection]

  var isOperand: Bool { term.part.isOperand }
  var operands: [ExpressionNode] { [term] }
  var isJSONText: Bool { term.part.isJSONText }

  func collated(_ collation: String) -> ExpressionNode {
    term.part.collated(collation).moved(columns)
  }

  func write(to context: inout SQLContext) throws {
    try context.with(namedColumns: columns, areHidden: !term.isName) { try term.write(to: &$0) }
  }
}

extension ExpressionNode {
  /// Returns a term of `ORDER BY` for another clause.
  func moved(_ columns: [SQLSelection]) -> ExpressionNode {
    guard !columns.isEmpty else { return self }
    guard let collated = part as? Collated else {
      return MovedOrderTerm(term: self, columns: columns).node
    }
    let expression = collated.expression.moved(columns)
    return Collated(expression: expression, collation: collated.collation).node
  }

  /// Whether the expression is a name alone.
  fileprivate var isName: Bool {
    guard let raw = part as? RawExpression else { return part is ColumnReference }
    guard raw.sql.elements.count == 1, case .expression(let node) = raw.sql.elements[0] else {
      return false
    }
    return node.isName
  }
}

extension SQLOrdering {
  /// Returns the term for another clause. The text of a literal is not changed.
  func moved(_ columns: [SQLSelection]) -> SQLOrdering {
    switch kind {
    case .term(let expression, let direction):
      SQLOrdering(.term(expression.moved(columns), direction))
    case .owned(let ordering, let table):
      SQLOrdering(.owned(ordering.moved(columns), by: table))
    case .literal, .list:
      self
    }
  }
}

extension SQLSelection {
  /// Writes the expression that has a name, as an operand.
  func writeNamedExpression(to context: inout SQLContext) throws {
    switch kind {
    case .alias(let expression, _):
      try expression.writeOperand(to: &context)
    case .owned(let selection, let table):
      try context.with(owner: table) { try selection.writeNamedExpression(to: &$0) }
    case .expression, .literal, .allColumns, .allColumnsExcluding, .connected:
      break
    }
  }
}
