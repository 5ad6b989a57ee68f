import Storage

/// A row with its associated rows, as a value that can be compared.
indirect enum AssociationGraph: Equatable {
  case row(
    values: [String: DatabaseValue],
    one: [String: AssociationGraph],
    many: [String: [AssociationGraph]]
  )
  /// No row is associated.
  case none
}

// MARK: - Fetched

extension AssociationGraph {
  /// Reads a fetched row.
  init(_ row: Row, _ tree: RandomAssociationTree) {
    guard row.containsNonNullValue else {
      self = .none
      return
    }
    var one: [String: AssociationGraph] = [:]
    var many: [String: [AssociationGraph]] = [:]
    for branch in tree.branches {
      if branch.role == .all {
        many[branch.name] = row.prefetchedRows[branch.name]?
          .map { AssociationGraph($0, branch.tree) }
      } else {
        one[branch.name] = row.scopesTree[branch.name].map { AssociationGraph($0, branch.tree) }
      }
    }
    let values = zip(row.columnNames, row.databaseValues).map { ($0, $1) }
    self = .row(values: Dictionary(uniqueKeysWithValues: values), one: one, many: many)
  }
}

// MARK: - Made by hand

extension RandomTables {
  typealias Values = [String: DatabaseValue]

  /// Returns the right result of the request of a tree, from the inserted rows.
  func graphs(_ tree: RandomAssociationTree) -> [AssociationGraph] {
    tables[tree.table].rows.compactMap { graph(of: $0, tree, selection: nil) }
  }

  /// Returns the graph of a row; `nil` when a required row is missing, or when an aggregate leaves
  /// the row out.
  private func graph(
    of row: Values,
    _ tree: RandomAssociationTree,
    selection: [String]?
  ) -> AssociationGraph? {
    var one: [String: AssociationGraph] = [:]
    var many: [String: [AssociationGraph]] = [:]
    for branch in tree.branches {
      let graphs = graphs(of: branch, for: row)
      switch branch.role {
      case .all:
        many[branch.name] = graphs
      case .optional:
        one[branch.name] = graphs.first ?? AssociationGraph.none
      case .required:
        guard let graph = graphs.first else { return nil }
        one[branch.name] = graph
      }
    }
    let columns = selection.map { Set($0 + ["n"]) } ?? Set(tables[tree.table].columns)
    var values = Values(
      uniqueKeysWithValues: tables[tree.table].columns.filter(columns.contains)
        .map { ($0, row[$0] ?? .null) }
    )
    for aggregate in tree.aggregates {
      let rows = rows(aggregate.steps, aggregate.minimum, for: row)
      if aggregate.excludes(rows) { return nil }
      values[aggregate.name] = aggregate.value(of: rows)
    }
    return .row(values: values, one: one, many: many)
  }

  private func graphs(
    of branch: RandomAssociationTree.Branch,
    for row: Values
  ) -> [AssociationGraph] {
    var rows = rows(branch.steps, branch.minimum, for: row)
    rows.sort { $0["n"]! < $1["n"]! }
    if branch.isDescending { rows.reverse() }
    // Rows that lack a required row are not counted.
    let graphs = rows.compactMap { graph(of: $0, branch.tree, selection: branch.selection) }
    return Array(graphs.prefix(branch.limit ?? graphs.count))
  }

  /// Returns the associated rows of a row, each one as often as it is associated.
  private func rows(
    _ steps: [RandomAssociationTree.Step],
    _ minimum: Int?,
    for row: Values
  ) -> [Values] {
    var rows = [row]
    for step in steps {
      rows = rows.flatMap { row in
        tables[step.destination].rows.filter { other in
          step.columns.allSatisfy { columns in
            let value = row[columns.own] ?? .null
            return !value.isNull && value == other[columns.associated]
          }
        }
      }
    }
    if let minimum { rows.removeAll { $0["v"]! < minimum } }
    return rows
  }
}

extension DatabaseValue {
  fileprivate static func < (left: DatabaseValue, right: Int) -> Bool {
    left < right.databaseValue
  }

  fileprivate static func < (left: DatabaseValue, right: DatabaseValue) -> Bool {
    guard case .int64(let left) = left.storage, case .int64(let right) = right.storage else {
      return false
    }
    return left < right
  }
}
