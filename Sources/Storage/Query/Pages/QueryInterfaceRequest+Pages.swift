extension QueryInterfaceRequest where RowDecoder: Fetchable {
  /// Fetches the first rows, or those after a position.
  ///
  ///     let page = try Player.order(\.score.desc).fetchPage(db, after: position, size: 50)
  ///     // SELECT *, "score", "id" FROM "player"
  ///     // WHERE ("score" < 1000) OR ("score" IS NULL) OR (("score" = 1000) AND ("id" < 2))
  ///     // ORDER BY "score" DESC, "id" DESC LIMIT 51
  ///
  /// The order of the request is completed by the primary key, so that it is unique. Collations,
  /// NULL and mixed directions are compared as the order sorts them. While rows come and go between
  /// two pages, no row that stays in its place is fetched twice, and none is missed. A row whose
  /// order changes moves, and may be on another page.
  ///
  /// - Parameters:
  ///   - db: A connection. In a transaction, the rows and their count belong to one state.
  ///   - position: The ``KeysetPage/next`` of the page before; `nil` for the first page.
  ///   - size: The largest number of rows on the page.
  ///   - isCounted: Whether to count the rows of all pages.
  /// - Returns: The page.
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the position belongs to another order,
  ///   when `size` is not positive, or when the order cannot be made unique: for requests with
  ///   `limit`, `distinct`, `group`, an order in SQL, or joined tables, and for views. Associations
  ///   with at most one row for each row, by a unique key, and `including(all:)` are allowed.
  /// - Complexity: With an index on the order, O(*size*); else the rows after the position are
  ///   sorted.
  public func fetchPage(
    _ db: Database,
    after position: KeysetPosition? = nil,
    size: Int,
    isCounted: Bool = false
  ) throws -> KeysetPage<RowDecoder> {
    let order = try selectStatement.pageOrder(db)
    let request = try selectStatement.page(order, after: position, size: size)
      .makePreparedRequest(db)
    // The first hidden columns are the columns of the order.
    let start = request.statement.columnNames.count - request.hiddenCount
    var page = KeysetPage<RowDecoder>()
    page.totalCount = isCounted ? try fetchCount(db) : nil
    var count = 0
    var last: [DatabaseValue] = []
    try page.rows.fetch(request, db) { row in
      guard count < size else {
        page.next = KeysetPosition(order: order.fingerprint, values: last)
        return false
      }
      count += 1
      if count == size {
        last = (start..<start + order.terms.count).map { row.databaseValue(at: $0) }
      }
      return true
    }
    return page
  }
}

extension Array where Element: Fetchable {
  /// Fetches elements until `visit`, which is called with the columns of each row, returns `false`.
  fileprivate mutating func fetch(
    _ request: PreparedRequest,
    _ db: Database,
    _ visit: (Row) throws -> Bool
  ) throws {
    guard request.prefetches.isEmpty else {
      self = try RowBuffer(request, db, visit: visit).decode { try Element.fetched(from: $0) }
      return
    }
    let statement = request.statement
    defer { statement.reset() }
    guard try statement.firstStep() else { return }
    let row = try Row.live(in: statement, request.adapter)
    while try visit(row.unadapted) {
      append(try Element.fetched(from: row))
      row.rewind()
      guard try statement.step() else { return }
    }
  }
}

extension SelectStatement {
  /// Returns the order of the pages.
  fileprivate func pageOrder(_ db: Database) throws -> PageOrder {
    let joinsOneRow = try associations.allSatisfy { try $0.joinsOneRow(from.table, db) }
    let obstacles = [
      ("a limit", limit != nil), ("distinct rows", select.isDistinct),
      ("groups", !group.expressions.isEmpty || hasConditionsOnGroups),
      ("joined tables", !from.joins.isEmpty || !joinsOneRow),
      ("an order of joined rows", associations.contains(where: \.ordersRows)),
      ("a WITH clause", !with.tables.isEmpty),
    ]
    if let (name, _) = obstacles.first(where: \.1) {
      throw PageOrder.misuse("its order is not unique, because the request has \(name)")
    }
    return try PageOrder(self, db)
  }

  /// Returns the query of the rows after a position, and of the next one. The values of the order
  /// are selected too.
  fileprivate func page(
    _ order: PageOrder,
    after position: KeysetPosition?,
    size: Int
  ) throws -> SelectStatement {
    guard size > 0, size < Int.max else {
      throw PageOrder.misuse("its size is \(size)")
    }
    var page = self
    page.select.hidden = order.terms.map(\.expression.sqlSelection)
    page.order = OrderByClause(terms: order.orderings)
    page.limit = LimitClause(count: size + 1)
    guard let position else { return page }
    guard position.order == order.fingerprint, position.values.count == order.terms.count else {
      throw PageOrder.misuse("the position belongs to another order")
    }
    page.filter.conditions.append(order.terms.isAfter(position.values).node)
    return page
  }
}

extension AssociationNode {
  /// Whether no row is joined with two rows.
  fileprivate func joinsOneRow(_ origin: TableReference, _ db: Database) throws -> Bool {
    guard isJoined else { return true }
    let table = statement.from.table
    guard table.definition == nil, statement.from.joins.isEmpty,
      let pairs = try condition.pairs(from: origin, to: table, db),
      try db.tableInfo(table.tableName).hasUniqueKey(within: pairs.map(\.destination))
    else { return false }
    return try statement.associations.allSatisfy { try $0.joinsOneRow(table, db) }
  }

  /// Whether the rows of the request are sorted by the rows of a joined table.
  fileprivate var ordersRows: Bool {
    isJoined
      && (!statement.order.terms.isEmpty || statement.associations.contains(where: \.ordersRows))
  }
}
