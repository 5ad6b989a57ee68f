/// `ORDER BY "score" DESC, "name"`
struct OrderByClause: Hashable, Sendable {
  var terms: [SQLOrdering] = []
  /// Whether the terms of joined associations are written in the opposite direction. ``terms`` have
  /// their direction already.
  var reversesAssociations = false

  /// The same terms, each in the opposite direction.
  var reversed: OrderByClause {
    OrderByClause(terms: terms.map(\.reversed), reversesAssociations: !reversesAssociations)
  }

  func write(to context: inout SQLContext) throws {
    let clause = try expanded(&context)
    guard !clause.terms.isEmpty else { return }
    context.append(" ORDER BY ")
    try clause.write(terms: &context)
  }

  /// Writes the clause without a leading space, as in `OVER (ORDER BY …)`.
  func write(list context: inout SQLContext) throws {
    context.append("ORDER BY ")
    try expanded(&context).write(terms: &context)
  }

  private func write(terms context: inout SQLContext) throws {
    for (index, term) in terms.enumerated() {
      if index > 0 { context.append(", ") }
      try term.write(to: &context)
    }
  }
}

// MARK: - Lists of terms

extension OrderByClause {
  /// Returns the terms for tables, without lists.
  ///
  /// - Parameters:
  ///   - tables: The tables of the statement.
  ///   - columns: The result columns of the statement that have names.
  ///   - db: The connection.
  /// - Returns: The terms.
  /// - Throws: ``DatabaseError``.
  func terms(
    of tables: [TableReference],
    _ columns: [SQLSelection],
    _ db: Database
  ) throws -> [SQLOrdering] {
    var context = SQLContext(db)
    var clause = self
    try context.with(tables: tables) { context in
      try context.with(resultNames: columns.compactMap(\.alias)) { clause = try expanded(&$0) }
    }
    return clause.terms
  }

  /// Whether columns of the table are terms that the schema gives, rather than the request.
  var listsColumns: Bool { terms.contains { $0.list != nil } }

  /// Returns the clause with the terms of lists in their place.
  private func expanded(_ context: inout SQLContext) throws -> OrderByClause {
    guard let db = context.db, terms.contains(where: { $0.list != nil }) else { return self }
    var clause = OrderByClause()
    for term in terms {
      guard let list = term.list else {
        clause.terms.append(term)
        continue
      }
      let new = try term.expanded(&context, db)
      // A column that the rows are already sorted by distinguishes no more rows.
      clause.terms += list == .distinguishingColumns ? new.filter { !clause.sorts(by: $0) } : new
    }
    return clause
  }

  private func sorts(by term: SQLOrdering) -> Bool {
    terms.contains { $0.isSameColumn(as: term) }
  }
}

extension SQLOrdering {
  fileprivate var list: OrderingList? {
    switch kind {
    case .list(let list, _): list
    case .owned(let ordering, _): ordering.list
    case .term, .literal: nil
    }
  }

  /// Returns the terms of a list; for another term, the term itself.
  func expanded(_ context: inout SQLContext, _ db: Database) throws -> [SQLOrdering] {
    switch kind {
    case .list(let list, let isReversed):
      let terms = try list.terms(of: context.keyedTable, in: context, db)
      return isReversed ? terms.map(\.reversed) : terms
    case .owned(let ordering, let table):
      var terms: [SQLOrdering] = []
      try context.with(owner: table) { terms = try ordering.expanded(&$0, db) }
      return terms.map { SQLOrdering(.owned($0, by: table)) }
    case .term, .literal:
      return [self]
    }
  }

  /// Whether both terms are one column, in the same direction or in opposite ones.
  fileprivate func isSameColumn(as other: SQLOrdering) -> Bool {
    switch (kind, other.kind) {
    case (.term(let left, _), .term(let right, _)): left == right
    case (.owned(let left, let leftTable), .owned(let right, let rightTable)):
      leftTable == rightTable && left.isSameColumn(as: right)
    default: false
    }
  }
}

/// Terms of `ORDER BY` that are known when a request is written.
enum OrderingList: Hashable, Sendable {
  /// The columns of the primary key.
  case primaryKey
  /// Columns whose values no two rows have in common: the primary key, or all columns of a view.
  case distinguishingColumns
  /// The terms that a closure makes.
  case connected(ConnectedPart<[SQLOrdering]>)

  /// Returns the terms for a table.
  fileprivate func terms(
    of table: TableReference,
    in context: SQLContext,
    _ db: Database
  ) throws -> [SQLOrdering] {
    switch self {
    case .primaryKey:
      try db.primaryKey(table.tableName).columns.map { table.ordering(by: $0, in: context) }
    case .distinguishingColumns:
      try table.distinguishingColumns(db).map { table.ordering(by: $0, in: context) }
    case .connected(let part):
      try part.content(db)
    }
  }

  /// The text in place of the terms when there is no connection.
  var draft: String {
    switch self {
    case .primaryKey, .distinguishingColumns: "<primary key>"
    case .connected: "<when connected>"
    }
  }
}

extension TableReference {
  /// Returns the order by a column, written with the table where a result column has its name.
  fileprivate func ordering(by column: String, in context: SQLContext) -> SQLOrdering {
    let column = Column(column)
    guard context.isHidden(column.name) else { return column.sqlOrdering }
    return SQLExpression(OwnedExpression(expression: column.node, table: self)).sqlOrdering
  }

  /// The columns whose values distinguish the rows.
  fileprivate func distinguishingColumns(_ db: Database) throws -> [String] {
    guard recordTableName != nil else { return try columnNames(db) }
    let table = try db.tableInfo(tableName)
    guard table.kind == .view, table.primaryKey.isHidden else { return table.distinguishingColumns }
    return table.columns.map(\.name)
  }
}

extension SelectStatement {
  /// Completes the order of the rows, and of the rows of associated tables.
  mutating func makeOrderStable() {
    order.terms.append(SQLOrdering(.list(.distinguishingColumns)))
    for index in associations.indices { associations[index].statement.makeOrderStable() }
  }
}
