/// An expression whose strings compare by a collation: `"name" COLLATE NOCASE`.
struct Collated: ExpressionPart {
  let expression: ExpressionNode
  /// The name of the collation.
  let collation: String

  var operands: [ExpressionNode] { [expression] }
  var negation: SQLExpression? {
    expression.part.negation.map {
      SQLExpression(Collated(expression: $0.node, collation: collation))
    }
  }

  func write(to context: inout SQLContext) throws {
    if expression.part is Operation {
      try expression.write(to: &context)
    } else {
      try expression.writeOperand(to: &context)
    }
    context.append(" COLLATE ")
    context.append(collation.sqlWord)
  }

  /// Applies a comparison to the expression, and the collation to the result.
  func map(_ transform: (ExpressionNode) -> SQLExpression) -> SQLExpression {
    SQLExpression(Collated(expression: transform(expression).node, collation: collation))
  }
}

extension SQLSpecificExpressible {
  /// Compares the strings of the expression by a collation.
  ///
  ///     Column("name").collating(.nocase) == "arthur"
  ///     // "name" = 'arthur' COLLATE NOCASE
  ///
  ///     ["arthur"].contains(Column("name")).collating(.nocase)
  ///     // ("name" COLLATE NOCASE) IN ('arthur')
  ///
  ///     Player.order { $0.name.collating(.nocase).desc }
  ///     // SELECT * FROM "player" ORDER BY "name" COLLATE NOCASE DESC
  public func collating(_ collation: Database.CollationName) -> SQLExpression {
    SQLExpression(node.part.collated(collation.rawValue))
  }

  /// Compares the strings of the expression by a collation that Swift computes.
  ///
  ///     Column("name").collating(.caseInsensitiveCompare) == "zoé"
  ///     // "name" = 'zoé' COLLATE swiftCaseInsensitiveCompare
  public func collating(_ collation: DatabaseCollation) -> SQLExpression {
    collating(Database.CollationName(collation.name))
  }
}
