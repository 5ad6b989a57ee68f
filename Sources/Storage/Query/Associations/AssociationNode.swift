/// A table that a request reads because of an association.
struct AssociationNode: Hashable, Sendable {
  /// How the rows of the table are read.
  enum Role: Hashable, Sendable {
    /// The rows are joined. A row without an associated row is dropped if one is required.
    case joined(isRequired: Bool)
    /// The rows are fetched by a statement of their own.
    case prefetched
  }

  /// The columns of a joined table that a request shows.
  enum Selection: Hashable, Sendable {
    /// Nothing.
    case none
    /// Columns, as a scope.
    case scope
    /// Columns, among the columns of the request itself.
    case annotation
  }

  /// The name of the scope, or of the prefetched rows.
  let key: String
  var role: Role
  var selection: Selection
  /// The tables that lead to the rows. A joined table has one step.
  var path: AssociationPath
  /// Whether a row has at most one associated row.
  var isToOne = false
  /// Why the node cannot be written, if two associations with one name do not fit.
  var conflict: String?

  /// The rows of the table, as far as they are filtered, sorted, … and their own associations.
  var statement: SelectStatement {
    get { path.destination }
    set { path.destination = newValue }
  }

  /// The condition of the first step.
  var condition: AssociationCondition { path.steps[0].condition }

  var isJoined: Bool { role != .prefetched }
}

// MARK: - Adding associations to a request

extension SelectStatement {
  /// Adds the tables that an association leads to.
  mutating func add(
    _ path: AssociationPath,
    _ role: AssociationNode.Role,
    _ selection: AssociationNode.Selection,
    isToOne: Bool
  ) {
    guard role != .prefetched else {
      return add(
        AssociationNode(key: path.key.plural, role: role, selection: selection, path: path)
      )
    }
    add(steps: path.steps[...], role, selection, isToOne)
  }

  /// Adds a join for each step: each one is an association of the table before.
  private mutating func add(
    steps: ArraySlice<AssociationPath.Step>,
    _ role: AssociationNode.Role,
    _ selection: AssociationNode.Selection,
    _ isToOne: Bool
  ) {
    guard var step = steps.first else { return }
    let rest = steps.dropFirst()
    step.statement.add(steps: rest, role, selection, isToOne)
    add(
      AssociationNode(
        key: step.key.singular,
        role: role,
        selection: rest.isEmpty ? selection : .none,
        path: AssociationPath(step),
        isToOne: isToOne
      )
    )
  }

  /// Adds a node, or merges it with the node of the same name.
  mutating func add(_ node: AssociationNode) {
    let index = associations.firstIndex { known in
      known.key == node.key && known.role.isSameKind(as: node.role)
    }
    if let index {
      associations[index].merge(node)
    } else {
      associations.append(node)
    }
  }
}

extension AssociationPath {
  init(_ step: Step) {
    steps = [step]
  }
}

// MARK: - Merging

extension AssociationNode.Role {
  fileprivate func isSameKind(as other: Self) -> Bool {
    switch (self, other) {
    case (.joined, .joined), (.prefetched, .prefetched): true
    default: false
    }
  }
}

extension AssociationNode {
  /// Adds the refinements of another association with the same name.
  fileprivate mutating func merge(_ other: AssociationNode) {
    conflict = conflict ?? other.conflict ?? conflict(with: other)
    guard conflict == nil else { return }
    if case .joined(isRequired: true) = other.role { role = other.role }
    let showsOwn = selection != .none
    let showsOther = other.selection != .none
    for index in path.steps.indices.dropLast() {
      path.steps[index].statement.merge(other.path.steps[index].statement, replacesSelection: false)
    }
    statement.merge(other.statement, replacesSelection: showsOther || !showsOwn)
    if showsOther { selection = other.selection }
    isToOne = isToOne && other.isToOne
  }

  private func conflict(with other: AssociationNode) -> String? {
    let isSame =
      path.steps.count == other.path.steps.count
      && zip(path.steps, other.path.steps).allSatisfy { own, other in
        own.condition == other.condition
          && own.statement.from.table.tableName == other.statement.from.table.tableName
      }
    guard isSame else {
      return """
        two associations of the request are called \(key), one with \
        \(statement.from.table.tableName) and one with \(other.statement.from.table.tableName), by \
        different columns: give one of them another name with forKey(_:)
        """
    }
    let pivots = zip(path.steps.dropLast(), other.path.steps).first { own, other in
      own.key.plural != other.key.plural
    }
    if let pivots {
      return """
        two associations of the request are called \(key), one through \(pivots.0.key.plural) and \
        one through \(pivots.1.key.plural): give one of them another name with forKey(_:)
        """
    }
    let names = [statement, other.statement].compactMap(\.from.table.alias)
    guard Set(names).count > 1 else { return nil }
    return """
      two associations of the request are called \(key), with the aliases \
      \(names.joined(separator: " and ")): give one of them another name with forKey(_:)
      """
  }
}

extension SelectStatement {
  /// Adds the clauses of another statement over the same table.
  fileprivate mutating func merge(_ other: SelectStatement, replacesSelection: Bool) {
    for table in other.with.tables { with.append(table) }
    if replacesSelection { select = other.select }
    from.table.alias = other.from.table.alias ?? from.table.alias
    from.table.identities += other.from.table.identities
    from.joins += other.from.joins.filter { !from.joins.contains($0) }
    // The same association may be used twice, with the same filter.
    filter.conditions += other.filter.conditions.filter { !filter.conditions.contains($0) }
    if !other.group.expressions.isEmpty { group = other.group }
    having.conditions += other.having.conditions.filter { !having.conditions.contains($0) }
    if !other.order.terms.isEmpty { order = other.order }
    limit = other.limit ?? limit
    for node in other.associations { add(node) }
  }
}
