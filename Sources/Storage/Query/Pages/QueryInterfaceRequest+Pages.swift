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
  ///   - position: The ``Page/next`` of the page before; `nil` for the first page.
  ///   - size: The largest number of rows on the page.
  ///   - isCounted: Whether to count the rows of all pages.
  /// - Returns: The page.
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the position belongs to another order,
  ///   when `size` is not positive, or when the order cannot be made unique: for requests with
  ///   `limit`, `distinct`, `group`, joined tables, or an order in SQL, and for views.
  /// - Complexity: With an index on the order, O(*size*); else the rows after the position are
  ///   sorted.
  public func fetchPage(
    _ db: Database,
    after position: PagePosition? = nil,
    size: Int,
    isCounted: Bool = false
  ) throws -> Page<RowDecoder> {
    let order = try selectStatement.pageOrder(db)
    let statement = try selectStatement.page(order, after: position, size: size).prepare(db)
    defer { statement.reset() }
    var page = Page<RowDecoder>()
    page.totalCount = isCounted ? try fetchCount(db) : nil
    guard try statement.firstStep() else { return page }
    // The last columns are those of the order.
    let start = statement.columnNames.count - order.terms.count
    let row = try Row.live(in: statement, RangeRowAdapter(0..<start))
    let values = try Row.live(in: statement, nil)
    var last: [DatabaseValue] = []
    repeat {
      if page.rows.count == size {
        page.next = PagePosition(order: order.fingerprint, values: last)
        break
      }
      page.rows.append(try RowDecoder.fetched(from: row))
      if page.rows.count == size {
        last = (start..<start + order.terms.count).map { values.databaseValue(at: $0) }
      }
      row.rewind()
    } while try statement.step()
    return page
  }
}

extension SelectStatement {
  /// Returns the order of the pages.
  fileprivate func pageOrder(_ db: Database) throws -> PageOrder {
    let obstacles = [
      ("a limit", limit != nil), ("distinct rows", select.isDistinct),
      ("groups", !group.expressions.isEmpty || hasConditionsOnGroups),
      ("joined tables", !from.joins.isEmpty), ("a WITH clause", !with.tables.isEmpty),
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
    after position: PagePosition?,
    size: Int
  ) throws -> SelectStatement {
    guard size > 0, size < Int.max else {
      throw PageOrder.misuse("its size is \(size)")
    }
    var page = self
    page.select.selection += order.terms.map(\.expression.sqlSelection)
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
