// Writes associations as joins: gives each table a name of its own, and turns the tree of
// associations into a list of joins, the selections, and the terms of the order.

/// A statement with joins in the place of its associations. Only in this form can it be written.
struct JoinedStatement: Subquery {
  /// The clauses. Each table has the name that it is written with, and no association is left.
  var clauses: SelectStatement

  func write(to context: inout SQLContext) throws { try clauses.writeClauses(to: &context) }
}

extension SelectStatement {
  /// Returns the statement with joins in the place of associations. The prefetched ones are gone.
  ///
  /// - Parameter reserved: Names that no table of the statement must have, without upper case
  ///   letters.
  /// - Returns: The statement with joins.
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when two associations have one name, or when
  ///   an association is refined in a way that a join cannot express.
  func joiningAssociations(reserving reserved: Set<String> = []) throws -> JoinedStatement {
    let hasAggregates = !aggregateCalls.isEmpty
    guard
      !associations.isEmpty || !from.table.identities.isEmpty || !reserved.isEmpty || hasAggregates
    else { return JoinedStatement(clauses: self) }
    let aggregates = hasAggregates ? try joinedAggregates() : JoinedAggregates()
    var joined = self
    joined.associations = []
    var names = TableNames(self, aggregates.tables, reserved: reserved)
    joined.from.table = names.name(from.table, path: [])
    joined.from.joins = from.joins
    for node in associations where node.isJoined {
      joined.from.joins += try node.joins(
        from: joined.from.table,
        path: [],
        isReversed: order.reversesAssociations,
        &names,
        &joined
      )
    }
    if hasAggregates { try aggregates.join(&joined, &names) }
    return JoinedStatement(clauses: joined)
  }

  /// Throws when an association of any level cannot be written.
  func checkAssociations() throws {
    for node in associations {
      if let conflict = node.conflict {
        throw DatabaseError(resultCode: .SQLITE_MISUSE, message: conflict)
      }
      for step in node.path.steps { try step.statement.checkAssociations() }
    }
    for call in aggregateCalls {
      for step in call.path.steps { try step.statement.checkAssociations() }
    }
  }
}

extension SelectStatement {
  /// Removes the order of the rows, also the order of joined associations.
  mutating func removeOrder() {
    order = OrderByClause()
    for index in associations.indices where associations[index].isJoined {
      for step in associations[index].path.steps.indices {
        associations[index].path.steps[step].statement.removeOrder()
      }
    }
  }
}

extension AssociationNode {
  /// Returns the joins of the table and of its own associations, and adds the other clauses to the
  /// statement.
  ///
  /// - Parameters:
  ///   - origin: The table that has the association.
  ///   - path: The keys that lead to that table.
  ///   - mayLackOrigin: Whether a row may have no row of that table.
  ///   - isReversed: Whether the order of that table's request is reversed.
  ///   - names: The names of the tables.
  ///   - joined: The statement.
  /// - Returns: The joins. The first one is the join of the table.
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the association is refined in a way that
  ///   a join cannot express.
  func joins(
    from origin: TableReference,
    path: [String],
    mayLackOrigin: Bool = false,
    isReversed: Bool,
    _ names: inout TableNames,
    _ joined: inout SelectStatement
  ) throws -> [JoinClause] {
    let path = path + [key]
    let table = names.name(self.statement.from.table, path: path)
    var statement = statement
    statement.moveAggregatesToFilter()
    try statement.checkIsJoinable(key: key)
    for definition in statement.with.tables { joined.with.append(definition) }
    joined.order.terms += statement.order.terms.map { term in
      SQLOrdering(.owned(isReversed ? term.reversed : term, by: table))
    }
    let isOptional = role != .joined(isRequired: true)
    let mayLackRow = isOptional || mayLackOrigin
    let columns = statement.select.selection.map { selection in
      SQLSelection(.owned(mayLackRow ? selection.nullWithoutRow : selection, by: table))
    }
    if selection == .annotation { joined.select.selection += columns }
    let own = statement.filter.conditions.map { OwnedExpression(expression: $0, table: table).node }
    // A row without a row of this table is kept. So the tables that this table requires are joined
    // with it first, and do not drop the row.
    var inner = statement.from.joins
    var following: [JoinClause] = []
    for node in statement.associations where node.isJoined {
      let joins = try node.joins(
        from: table,
        path: path,
        mayLackOrigin: mayLackRow,
        isReversed: isReversed != statement.order.reversesAssociations,
        &names,
        &joined
      )
      if isOptional, node.role == .joined(isRequired: true) {
        inner += joins
      } else {
        following += joins
      }
    }
    if !isOptional {
      following = inner + following
      inner = []
    }
    let join = JoinClause(
      kind: isOptional ? .left : .inner,
      table: table,
      conditions: [condition.joining(origin, table)].compactMap(\.self) + own,
      selection: selection == .scope ? columns : [],
      scope: path,
      inner: inner
    )
    return [join] + following
  }
}

extension SelectStatement {
  /// The name of the first clause that a join of this statement would lose; `nil` if a join keeps
  /// all of its clauses.
  var clauseThatJoinsLack: String? {
    if limit != nil {
      "limit"
    } else if select.isDistinct {
      "distinct"
    } else if !group.expressions.isEmpty || !having.conditions.isEmpty {
      "group"
    } else {
      nil
    }
  }

  /// Throws when a join cannot express the rows of an association.
  func checkIsJoinable(key: String) throws {
    guard let clause = clauseThatJoinsLack else { return }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        the association \(key) has a \(clause), which a join cannot express: use including(all:), \
        or join a CommonTableExpression with join(_:on:)
        """
    )
  }
}

/// Chooses the names of the tables of a statement: a table that is read twice is called `team1` and
/// `team2`, unless the request gives it an alias.
struct TableNames {
  private var taken: Set<String>
  private let isShared: Set<String>
  private var numbers: [String: Int] = [:]

  /// Creates the names of the tables of a statement.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - aggregated: The tables that are joined for aggregates.
  ///   - reserved: Names that no table may have, without upper case letters.
  init(_ statement: SelectStatement, _ aggregated: [TableReference], reserved: Set<String>) {
    let tables =
      [statement.from.table] + statement.associations.flatMap(\.tables) + aggregated
    let explicit = statement.from.flatJoins.map(\.table.name)
    taken = Set((tables.compactMap(\.alias) + explicit).map(\.asciiLowercased))
    var counts: [String: Int] = [:]
    for table in tables where table.alias == nil {
      counts[table.tableName.asciiLowercased, default: 0] += 1
    }
    isShared = Set(counts.filter { $0.value > 1 }.keys).union(reserved)
    taken.formUnion(reserved)
  }

  /// Returns the table under its name in the statement.
  mutating func name(_ table: TableReference, path: [String]) -> TableReference {
    var named = table
    named.path = path
    guard table.alias == nil else { return named }
    let name = table.tableName.asciiLowercased
    // A join that is written out refers to the first table by its own name.
    guard isShared.contains(name) || (taken.contains(name) && !path.isEmpty) else { return named }
    repeat {
      numbers[name, default: 0] += 1
      named.alias = "\(table.tableName)\(numbers[name] ?? 0)"
      named.hasChosenAlias = true
    } while taken.contains(named.name.asciiLowercased)
    return named
  }
}

extension AssociationNode {
  /// The tables that are joined because of this association.
  var tables: [TableReference] {
    guard isJoined else { return [] }
    return [statement.from.table] + statement.associations.flatMap(\.tables)
  }
}
