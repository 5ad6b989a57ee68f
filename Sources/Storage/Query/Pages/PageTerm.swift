/// A term of a page's order: an expression, its direction, and the place of NULL.
struct PageTerm: Sendable {
  let expression: SQLExpression
  let direction: SQLOrdering.Direction
  /// Whether the expression is never NULL.
  let isNotNull: Bool

  var isAscending: Bool {
    switch direction {
    case .unstated, .ascending, .ascendingNullsLast: true
    case .descending, .descendingNullsFirst: false
    }
  }

  /// Whether NULL comes before all other values. In SQLite, it is the smallest value.
  /// https://www.sqlite.org/lang_select.html#the_order_by_clause
  private var hasNullFirst: Bool {
    switch direction {
    case .unstated, .ascending, .descendingNullsFirst: true
    case .descending, .ascendingNullsLast: false
    }
  }

  /// Returns the condition for values that come after a value; `nil` if none does.
  func isAfter(_ value: DatabaseValue) -> SQLExpression? {
    if value.isNull { return hasNullFirst ? expression != SQLExpression.null : nil }
    let isAfter: SQLExpression = isAscending ? expression > value : expression < value
    return hasNullFirst || isNotNull ? isAfter : isAfter || expression == SQLExpression.null
  }

  /// Returns the condition for values that come after a value or equal it, if an index can use it:
  /// if it is one comparison.
  func isNotBefore(_ value: DatabaseValue) -> SQLExpression? {
    guard !value.isNull, hasNullFirst || isNotNull else { return nil }
    return isAscending ? expression >= value : expression <= value
  }
}

extension [PageTerm] {
  /// Returns the condition for rows that come after a row with these values.
  ///
  /// ```sql
  /// ("name", "id") > ('cup', 1)
  /// ("score" <= 10) AND (("score" < 10) OR (("score" = 10) AND ("id" > 1)))
  /// ```
  func isAfter(_ values: [DatabaseValue]) -> SQLExpression {
    if count > 1, allSatisfy({ $0.isNotNull && $0.isAscending == self[0].isAscending }) {
      return SQLExpression(
        RowValueComparison(
          left: map(\.expression.node),
          operator: self[0].isAscending ? .greater : .less,
          right: values.map(\.node)
        )
      )
    }
    var alternatives: [ExpressionNode] = []
    var equalities: [ExpressionNode] = []
    for (term, value) in zip(self, values) {
      if let isAfter = term.isAfter(value) {
        alternatives.append(SQLExpression.chain(.and, equalities + [isAfter.node]).node)
      }
      equalities.append((term.expression == value).node)
    }
    let isAfter = SQLExpression.chain(.or, alternatives)
    // One alternative is a comparison that an index can use already.
    guard alternatives.count > 1, let bound = self[0].isNotBefore(values[0]) else { return isAfter }
    return bound && isAfter
  }
}

/// `("name", "id") > ('cup', 1)`: https://www.sqlite.org/rowvalue.html
struct RowValueComparison: ExpressionPart {
  let left: [ExpressionNode]
  let `operator`: Operation.Operator
  let right: [ExpressionNode]

  var operands: [ExpressionNode] { left + right }

  func write(to context: inout SQLContext) throws {
    context.append("(")
    try left.writeList(to: &context)
    context.append(") \(`operator`.rawValue) (")
    try right.writeList(to: &context)
    context.append(")")
  }
}
