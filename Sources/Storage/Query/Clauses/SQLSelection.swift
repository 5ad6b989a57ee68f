/// One or more result columns.
public struct SQLSelection: SQLSelectable, Hashable, Sendable {
  indirect enum Kind: Hashable, Sendable {
    case expression(ExpressionNode)
    case alias(ExpressionNode, String)
    case allColumns
    case allColumnsExcluding(Set<String>)
    case literal(SQL)
    case owned(SQLSelection, by: TableReference)
  }

  let kind: Kind

  init(_ kind: Kind) {
    self.kind = kind
  }

  /// The selection itself.
  public var sqlSelection: SQLSelection { self }

  /// Whether the selection computes one value from many rows.
  var isAggregate: Bool {
    switch kind {
    case .expression(let expression), .alias(let expression, _): expression.part.isAggregate
    case .owned(let selection, _): selection.isAggregate
    // Raw SQL may contain an aggregate.
    case .literal: true
    case .allColumns, .allColumnsExcluding: false
    }
  }

  /// The name of the column, if the selection is a plain column.
  var column: String? {
    switch kind {
    case .expression(let expression), .alias(let expression, _):
      (expression.part as? ColumnReference)?.name
    case .owned, .literal, .allColumns, .allColumnsExcluding: nil
    }
  }

  /// The name that the selection gives to its column, which conditions can refer to.
  var alias: String? {
    switch kind {
    case .alias(_, let name): name
    case .owned(let selection, _): selection.alias
    case .expression, .literal, .allColumns, .allColumnsExcluding: nil
    }
  }

  /// Writes the result columns, separated by commas.
  func write(to context: inout SQLContext) throws {
    switch kind {
    case .expression(let expression):
      try expression.write(to: &context)
    case .alias(let expression, let name):
      try expression.write(to: &context)
      context.append(alias: name)
    case .allColumns:
      context.appendQualifier()
      context.append("*")
    case .allColumnsExcluding(let excluded):
      try context.appendColumns(excluding: excluded)
    case .literal(let sql):
      try context.append(sql)
    case .owned(let selection, let table):
      try context.with(owner: table) { try selection.write(to: &$0) }
    }
  }
}

extension SQLSelection {
  /// Writes the result columns, each one with its name: `"id" AS "id"`.
  func writeNamed(to context: inout SQLContext) throws {
    switch kind {
    case .owned(let selection, let table):
      try context.with(owner: table) { try selection.writeNamed(to: &$0) }
    case .allColumns:
      try context.appendColumns(excluding: [], areNamed: true)
    case .allColumnsExcluding(let excluded):
      try context.appendColumns(excluding: excluded, areNamed: true)
    case .expression, .alias, .literal:
      try write(to: &context)
      if case .expression = kind, let column { context.append(alias: column) }
    }
  }
}

extension SQLSpecificExpressible {
  /// Names the expression as a result column.
  ///
  ///     Player.select { max($0.score).forKey("maxScore") }
  ///     // SELECT MAX("score") AS "maxScore" FROM "player"
  public func forKey(_ name: String) -> SQLSelection {
    SQLSelection(.alias(node, name))
  }

  /// Names the expression as a result column, after a coding key.
  ///
  ///     Player.select { max($0.score).forKey(CodingKeys.maxScore) }
  ///     // SELECT MAX("score") AS "maxScore" FROM "player"
  public func forKey(_ key: some CodingKey) -> SQLSelection {
    forKey(key.stringValue)
  }
}
