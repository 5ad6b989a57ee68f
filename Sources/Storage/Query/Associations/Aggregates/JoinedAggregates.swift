/// The paths of aggregates that are joined.
struct JoinedAggregates {
  /// The tables, each with the tables that lead to it.
  private(set) var prefixes: [AssociationPath] = []
  /// Whether joins that show no columns repeat rows, which a group for each row undoes.
  var repeatsRows = false
  /// The path that no other join multiplies.
  var alone: [AssociationPath.Step]?

  mutating func add(_ path: AssociationPath) {
    for count in 1...path.steps.count {
      let prefix = path.prefix(count)
      let known = prefixes.firstIndex { $0.identity == prefix.identity }
      if let known {
        prefixes[known].addAliases(of: prefix)
      } else {
        prefixes.append(prefix)
      }
    }
  }

  /// Whether all tables lead to the end of a path.
  func isPart(of path: AssociationPath) -> Bool {
    let identity = path.identity
    return prefixes.allSatisfy { identity.starts(with: $0.identity) }
  }

  func computes(_ call: AssociationAggregateCall) -> Bool {
    let identity = call.path.identity
    guard !call.function.countsDuplicates else { return alone == identity }
    return prefixes.contains { $0.identity == identity }
  }

  /// Adds the joins, and a group for each row.
  func join(
    _ statement: inout SelectStatement,
    _ names: inout TableNames
  ) throws {
    guard !prefixes.isEmpty || repeatsRows else { return statement.moveAggregatesToFilter() }
    var tables: [[AssociationPath.Step]: TableReference] = [:]
    for path in prefixes {
      let origin = tables[path.prefix(path.steps.count - 1).identity] ?? statement.from.table
      let step = path.steps[path.steps.count - 1]
      let node = AssociationNode(
        key: step.key.plural,
        role: .joined(isRequired: false),
        selection: .none,
        path: AssociationPath(step)
      )
      // No association that a row shows has such a name.
      let parent = (origin.path ?? []).isEmpty ? [":"] : origin.path ?? []
      var joins = try node.joins(
        from: origin,
        path: parent,
        isReversed: false,
        &names,
        &statement
      )
      joins[0].table.identities.append(.aggregated(path.identity))
      if alone == path.identity { joins[0].table.identities.append(.alone) }
      tables[path.identity] = joins[0].table
      statement.from.joins += joins
    }
    if statement.group.expressions.isEmpty {
      statement.group.expressions = [AggregatedRow(isSingleValue: false).node]
    }
  }

  /// The joined tables, before they are named.
  var tables: [TableReference] {
    prefixes.flatMap { path in
      [path.destination.from.table] + path.destination.associations.flatMap(\.tables)
    }
  }
}

extension AssociationPath {
  /// The path of the first steps.
  fileprivate func prefix(_ count: Int) -> AssociationPath {
    var path = self
    path.steps = Array(steps.prefix(count))
    return path
  }

  /// Adds the aliases under which another path refers to the same table.
  fileprivate mutating func addAliases(of other: AssociationPath) {
    let aliases = other.destination.from.table.identities
    for alias in aliases
    where !destination.from.table.identities.contains(where: { $0.isSame(as: alias) }) {
      destination.from.table.identities.append(alias)
    }
  }
}

/// The columns that distinguish a row of a table from all other rows: its row id, or else its
/// primary key.
///
/// A primary key may be NULL in several rows, unless it is the row id or the table has none.
struct AggregatedRow: ExpressionPart {
  /// Whether the columns of a key are one value, such as an argument of `COUNT()`, rather than a
  /// list.
  let isSingleValue: Bool

  var isOperand: Bool { true }

  func write(to context: inout SQLContext) throws {
    guard let db = context.db else { return context.append("<primary key>") }
    let columns = try db.identity(ofRowsOf: context.keyedTable)
    guard isSingleValue, columns.count > 1 else {
      for (index, column) in columns.enumerated() {
        if index > 0 { context.append(", ") }
        try context.append(column: column)
      }
      return
    }
    // A row that an outer join does not find has only NULL, which QUOTE() would turn into a text.
    context.append("CASE WHEN ")
    try context.append(column: columns[0])
    context.append(" IS NOT NULL THEN ")
    for (index, column) in columns.enumerated() {
      if index > 0 { context.append(" || ',' || ") }
      context.append("QUOTE(")
      try context.append(column: column)
      context.append(")")
    }
    context.append(" END")
  }
}

extension Database {
  fileprivate func identity(ofRowsOf table: TableReference) throws -> [String] {
    let key = try primaryKey(table.tableName)
    if let column = key.rowIDColumn { return [column] }
    guard key.tableHasRowID, let name = try tableInfo(table.tableName).rowIDName else {
      return key.columns
    }
    return [name]
  }
}

/// A value that is NULL where an outer join finds no row:
/// `CASE WHEN "team"."id" IS NOT NULL THEN … END`.
struct ValueOfPresentRow: ExpressionPart {
  let expression: ExpressionNode

  var isOperand: Bool { true }
  var operands: [ExpressionNode] { [expression] }

  func write(to context: inout SQLContext) throws {
    guard context.db != nil else { return try expression.write(to: &context) }
    context.append("CASE WHEN ")
    try RowExistence().write(to: &context)
    context.append(" THEN ")
    try expression.write(to: &context)
    context.append(" END")
  }
}
