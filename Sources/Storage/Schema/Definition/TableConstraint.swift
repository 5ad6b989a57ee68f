/// A constraint of a table: `UNIQUE ("a", "b")`.
enum TableConstraint {
  case primaryKey([SQLOrdering], Database.ConflictResolution?)
  case unique([String], Database.ConflictResolution?)
  case foreignKey([String], ForeignKeyClause)
  case check(ExpressionNode)
  case literal(SQL)

  /// Writes the constraint.
  func write(to context: inout SQLContext) throws {
    switch self {
    case .primaryKey(let terms, let conflict):
      context.append("PRIMARY KEY (")
      try terms.writeList(to: &context)
      context.append(")\(conflict.clause)")
    case .unique(let columns, let conflict):
      context.append("UNIQUE ")
      context.append(identifiers: columns)
      context.append(conflict.clause)
    case .foreignKey(let columns, let clause):
      context.append("FOREIGN KEY ")
      context.append(identifiers: columns)
      context.append(" ")
      clause.write(to: &context)
    case .check(let condition):
      context.append("CHECK (")
      try condition.write(to: &context)
      context.append(")")
    case .literal(let sql):
      try context.append(sql)
    }
  }

  /// The names of the columns of a primary key; `nil` for other constraints.
  var keyColumns: [String]? {
    guard case .primaryKey(let terms, _) = self else { return nil }
    return terms.compactMap(\.column)
  }
}

extension SQLOrdering {
  /// The name of the column, for a term that is only a column.
  fileprivate var column: String? {
    guard case .term(let node, _) = kind else { return nil }
    return (node.part as? ColumnReference)?.name
  }
}

extension Sequence<SQLOrdering> {
  /// Writes the terms, separated by commas.
  func writeList(to context: inout SQLContext) throws {
    for (index, term) in enumerated() {
      if index > 0 { context.append(", ") }
      try term.write(to: &context)
    }
  }
}
