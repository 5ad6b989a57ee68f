extension SelectStatement {
  /// How the rows of a statement belong to the rows of another one.
  struct Grouping {
    /// The names of the associations that lead to the table with the key of the other row.
    let path: [String]
    /// The columns of the key.
    let columns: [String]
    /// The number of rows for each key; `nil` for all rows.
    let limit: LimitClause?
  }

  /// Compiles the query, and binds its arguments.
  func makePreparedRequest(_ db: Database) throws -> PreparedRequest {
    try prepare(db, groupedBy: nil).request
  }

  /// Compiles the query, together with the columns that say to which row its rows belong.
  func prepare(
    _ db: Database,
    groupedBy group: Grouping?
  ) throws -> (request: PreparedRequest, group: [Int]) {
    let hasAssociations = !associations.isEmpty || !from.table.identities.isEmpty || group != nil
    // The positions of columns follow from the numbers of columns of the tables and the statement.
    if hasAssociations || !from.flatJoins.isEmpty || !select.hidden.isEmpty {
      try db.refreshSchemaCache()
    }
    guard hasAssociations else {
      let statement = try prepare(db)
      var request = PreparedRequest(statement: statement, adapter: try scopes(of: statement, db))
      request.hiddenCount = select.hidden.count
      return (request, [])
    }
    try checkAssociations()
    var joined = try joiningAssociations()
    joined.clauses.from.table.path = []
    let nodes = prefetchedNodes([])
    let keys = try nodes.map { path, node in
      try node.path.columnPairs(from: joined.clauses.table(at: path), db)
    }
    var positions = try zip(nodes, keys).map { node, pairs in
      try pairs.map { try joined.position($0.origin, at: node.path, db) }
    }
    positions.append(
      try group.map { group in
        // Rows are distinct among the rows that belong to one other row.
        try group.columns.map { try joined.position($0, at: group.path, hidesInDistinct: true, db) }
      } ?? []
    )
    if let group, group.limit != nil { try joined.numberRows(of: group, db) }
    let statement = try group?.limit.map { try joined.prepare($0, db) } ?? joined.prepare(db)
    let count = statement.columnNames.count
    var indexes = try positions.map { try $0.map { try joined.index($0, count, db) } }
    let groupIndexes = indexes.removeLast()
    let prefetches = zip(zip(nodes, keys), indexes).map { node, indexes in
      Prefetch(
        scope: node.0.path,
        key: node.0.node.key,
        path: node.0.node.path,
        columns: node.0.node.path.keyColumns(indexes, node.1, db),
        outside: joined.clauses.from.tables.filter(\.isAliased) + outside
      )
    }
    var adapter = try joined.clauses.scopes(of: statement, db)
    if group?.limit != nil {
      adapter = SubqueryRowAdapter(names: try joined.prepare(db).columnNames, adapter: adapter)
    }
    var request = PreparedRequest(statement: statement, adapter: adapter, prefetches: prefetches)
    request.tableName = joined.clauses.from.table.recordTableName
    request.hiddenCount = joined.clauses.select.hidden.count
    return (request, groupIndexes)
  }

  /// Returns the prefetched associations of all joined tables, with the path to their table.
  private func prefetchedNodes(_ path: [String]) -> [(path: [String], node: AssociationNode)] {
    associations.flatMap { node in
      node.role == .prefetched
        ? [(path, node)] : node.statement.prefetchedNodes(path + [node.key])
    }
  }

  fileprivate func table(at path: [String]) -> TableReference {
    from.tables.first { $0.path == path } ?? from.table
  }
}

// MARK: - Columns of keys

extension JoinedStatement {
  /// Where a row has the value of a column.
  fileprivate enum Position {
    /// Counted from the first column of a table.
    case column(Int, of: [String])
    /// Counted from the first hidden column.
    case hidden(Int)
  }

  /// Returns where the rows have a column. A column that is not selected is added to the hidden
  /// ones.
  fileprivate mutating func position(
    _ column: String,
    at path: [String],
    hidesInDistinct: Bool = false,
    _ db: Database
  ) throws -> Position {
    let table = clauses.table(at: path)
    let selection =
      path.isEmpty
      ? clauses.select.selection
      : clauses.from.flatJoins.first { $0.table.path == path }?.selection ?? []
    if let offset = try selection.offset(of: column, in: table, db) {
      return .column(offset, of: path)
    }
    guard !clauses.select.isDistinct || hidesInDistinct else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          the request selects distinct rows without the column \(column) of \(table.tableName), \
          by which associated rows are found: select it
          """
      )
    }
    let plain = Column(column).sqlSelection
    let hidden = path.isEmpty ? plain : SQLSelection(.owned(plain, by: table))
    if let known = clauses.select.hidden.firstIndex(of: hidden) { return .hidden(known) }
    clauses.select.hidden.append(hidden)
    return .hidden(clauses.select.hidden.count - 1)
  }

  /// Returns the index of a column in the rows.
  fileprivate func index(_ position: Position, _ count: Int, _ db: Database) throws -> Int {
    switch position {
    case .hidden(let index):
      return count - clauses.select.hidden.count + index
    case .column(let offset, let path) where path.isEmpty:
      return offset
    case .column(let offset, let path):
      var index = count - clauses.select.hidden.count
      for join in clauses.from.flatJoins.reversed() {
        index -= try join.selection.reduce(0) { try $0 + $1.columnCount(join.table, db) }
        if join.table.path == path { break }
      }
      return index + offset
    }
  }
}

extension [SQLSelection] {
  /// Returns the number of columns before a column of a table; `nil` when it is not selected
  /// unchanged.
  fileprivate func offset(
    of column: String,
    in table: TableReference,
    _ db: Database
  ) throws -> Int? {
    var offset = 0
    for selection in self {
      switch selection.offset(of: column, in: table, try? table.columnNames(db)) {
      case .found(let index): return offset + index
      case .unknown: return nil
      case .absent: offset += try selection.columnCount(table, db)
      }
    }
    return nil
  }
}

extension SQLSelection {
  fileprivate enum Search {
    case found(Int)
    case absent
    /// The selection has an unknown number of columns.
    case unknown
  }

  fileprivate func offset(
    of column: String,
    in table: TableReference,
    _ names: [String]?
  ) -> Search {
    let column = column.asciiLowercased
    switch kind {
    case .literal, .connected:
      return .unknown
    case .owned(let selection, let owner):
      return owner == table ? selection.offset(of: column, in: table, names) : .absent
    case .allColumns:
      guard let names else { return .unknown }
      return names.firstIndex { $0.asciiLowercased == column }.map(Search.found) ?? .absent
    case .allColumnsExcluding(let excluded):
      let excluded = Set(excluded.map(\.asciiLowercased))
      let shown = names?.map(\.asciiLowercased).filter { !excluded.contains($0) }
      return shown?.firstIndex(of: column).map(Search.found) ?? .absent
    case .expression(let expression):
      let name = (expression.part as? ColumnReference)?.name.asciiLowercased
      return name == column ? .found(0) : .absent
    case .alias:
      return .absent
    }
  }
}
