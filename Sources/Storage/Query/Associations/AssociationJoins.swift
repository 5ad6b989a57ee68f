// Writes associations as joins: gives each table a name of its own, and turns the tree of
// associations into a list of joins, the selections, and the terms of the order.

extension SelectStatement {
  /// Returns the statement with joins in the place of associations. The prefetched ones are gone.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when two associations have one name, or when
  ///   an association is refined in a way that a join cannot express.
  func joiningAssociations() throws -> SelectStatement {
    guard !associations.isEmpty || !from.table.identities.isEmpty else { return self }
    var joined = self
    joined.associations = []
    var names = TableNames(self)
    joined.from.table = names.name(from.table, path: [])
    joined.from.joins = from.joins
    for node in associations where node.isJoined {
      joined.from.joins += try node.joins(from: joined.from.table, path: [], &names, &joined)
    }
    return joined
  }

  /// Throws when an association of any level cannot be written.
  func checkAssociations() throws {
    for node in associations {
      if let conflict = node.conflict {
        throw DatabaseError(resultCode: .SQLITE_MISUSE, message: conflict)
      }
      for step in node.path.steps { try step.statement.checkAssociations() }
    }
  }
}

extension AssociationNode {
  /// Returns the joins of the table and of its own associations, and adds the other clauses to the
  /// statement.
  fileprivate func joins(
    from origin: TableReference,
    path: [String],
    _ names: inout TableNames,
    _ joined: inout SelectStatement
  ) throws -> [JoinClause] {
    let path = path + [key]
    let table = names.name(statement.from.table, path: path)
    try checkIsJoinable()
    for definition in statement.with.tables { joined.with.append(definition) }
    joined.order.terms += statement.order.terms.map { SQLOrdering(.owned($0, by: table)) }
    let columns = statement.select.selection.map { SQLSelection(.owned($0, by: table)) }
    if selection == .annotation { joined.select.selection += columns }
    let own = statement.filter.conditions.map { OwnedExpression(expression: $0, table: table).node }
    // A row without a row of this table is kept. So what this table requires is joined with it
    // first, and does not drop the row.
    let isOptional = role != .joined(isRequired: true)
    var inner = statement.from.joins
    var following: [JoinClause] = []
    for node in statement.associations where node.isJoined {
      let joins = try node.joins(from: table, path: path, &names, &joined)
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

  private func checkIsJoinable() throws {
    let clause: String? =
      if statement.limit != nil {
        "limit"
      } else if statement.select.isDistinct {
        "distinct"
      } else if !statement.group.expressions.isEmpty || !statement.having.conditions.isEmpty {
        "group"
      } else {
        nil
      }
    guard let clause else { return }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        the association \(key) has a \(clause), which a join cannot express: use including(all:), \
        or join a request with join(_:on:)
        """
    )
  }
}

/// Chooses the names of the tables of a statement: a table that is read twice is called `team1` and
/// `team2`, unless the request gives it an alias.
private struct TableNames {
  private var taken: Set<String>
  private let isShared: Set<String>
  private var numbers: [String: Int] = [:]

  init(_ statement: SelectStatement) {
    let tables = [statement.from.table] + statement.associations.flatMap(\.tables)
    let explicit = statement.from.flatJoins.map(\.table.name)
    taken = Set((tables.compactMap(\.alias) + explicit).map(\.asciiLowercased))
    var counts: [String: Int] = [:]
    for table in tables where table.alias == nil {
      counts[table.tableName.asciiLowercased, default: 0] += 1
    }
    isShared = Set(counts.filter { $0.value > 1 }.keys)
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
    } while taken.contains(named.name.asciiLowercased)
    return named
  }
}

extension AssociationNode {
  /// The tables that are joined because of this association.
  fileprivate var tables: [TableReference] {
    guard isJoined else { return [] }
    return [statement.from.table] + statement.associations.flatMap(\.tables)
  }
}
