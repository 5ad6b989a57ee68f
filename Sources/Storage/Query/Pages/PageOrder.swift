/// The order of a request's pages: the order of the request, completed by the primary key, so that
/// no two rows have the same position.
struct PageOrder {
  let terms: [PageTerm]
  /// The order as terms of `ORDER BY`.
  let orderings: [SQLOrdering]
  /// Identifies the order.
  let fingerprint: UInt32

  init(_ statement: SelectStatement, _ db: Database) throws {
    let reference = statement.from.table
    let table = try db.tableInfo(reference.tableName)
    guard table.kind == .table || table.kind == .shadow else {
      throw Self.misuse("the rows of \(reference.tableName) have no key that tells them apart")
    }
    let named = try statement.joiningAssociations().clauses.namedColumns(db)
    let reader = PageTermReader(table: table, named: named)
    var terms: [PageTerm] = []
    for ordering in try statement.order.terms(of: [reference], named, db) {
      terms += try reader.terms(of: ordering)
    }
    let ordered = Set(terms.compactMap { $0.column?.asciiLowercased })
    // The key continues in the direction of the last term: then an index can serve both.
    let isDescending = terms.last?.isAscending == false
    let direction: SQLOrdering.Direction = isDescending ? .descending : .unstated
    for column in table.distinguishingColumns where !ordered.contains(column.asciiLowercased) {
      terms.append(reader.keyTerm(column, direction, of: reference))
    }
    self.terms = terms
    orderings = terms.map { SQLOrdering(.term($0.sorted, $0.direction)) }
    var context = SQLContext(db, values: .literal)
    try context.with(tables: [reference]) {
      let terms = terms.map { SQLOrdering(.term($0.expression.node, $0.direction)) }
      try OrderByClause(terms: terms).write(list: &$0)
    }
    fingerprint = Self.hash(context.sql)
  }

  static func misuse(_ message: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_MISUSE, message: "the page cannot be fetched: \(message)")
  }

  /// The FNV-1a hash of a text, which is the same in each process.
  private static func hash(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }
}

/// Reads the order of a request as the terms of a page.
private struct PageTermReader {
  let table: TableInfo
  /// The result columns of the request that have names.
  let named: [SQLSelection]

  func terms(of ordering: SQLOrdering) throws -> [PageTerm] {
    switch ordering.kind {
    case .term(let node, let direction):
      return [term(node, direction)]
    case .owned(let ordering, let owner):
      return try terms(of: ordering).map { term in
        let expression = OwnedExpression(expression: term.expression.node, table: owner)
        var owned = term
        owned.expression = SQLExpression(expression)
        owned.sorted = OwnedExpression(expression: term.sorted, table: owner).node
        return owned
      }
    case .literal, .list:
      throw PageOrder.misuse(
        """
        the order is written in SQL, so that its columns are unknown: give its expressions as \
        SQL("…").sqlExpression
        """
      )
    }
  }

  private func term(_ node: ExpressionNode, _ direction: SQLOrdering.Direction) -> PageTerm {
    let inner = (node.part as? Collated)?.expression ?? node
    return PageTerm(
      expression: SQLExpression(node.moved(named)),
      sorted: node,
      direction: direction,
      column: column(node),
      isNotNull: column(inner).map(table.isNeverNull) ?? false
    )
  }

  /// Returns the term of a column of the key.
  func keyTerm(
    _ column: String,
    _ direction: SQLOrdering.Direction,
    of reference: TableReference
  ) -> PageTerm {
    let node = Column(column).node
    // `ORDER BY` would sort by a result column of this name.
    let isHidden = isNamed(column)
    return PageTerm(
      expression: SQLExpression(node),
      sorted: isHidden ? OwnedExpression(expression: node, table: reference).node : node,
      direction: direction,
      column: column,
      isNotNull: table.isNeverNull(column)
    )
  }

  /// Returns the name of the column of the table, if the expression is a plain column.
  private func column(_ node: ExpressionNode) -> String? {
    if let owned = node.part as? OwnedExpression {
      return (owned.expression.part as? ColumnReference)?.name
    }
    guard let name = (node.part as? ColumnReference)?.name, !isNamed(name) else { return nil }
    return name
  }

  private func isNamed(_ column: String) -> Bool {
    named.contains { $0.alias?.isSameName(as: column) == true }
  }
}

extension TableInfo {
  /// The columns of the primary key, with the row id if the key may contain NULL, which SQLite
  /// allows several times: https://www.sqlite.org/lang_createtable.html#the_primary_key
  var distinguishingColumns: [String] {
    if primaryKey.isHidden { return rowIDName.map { [$0] } ?? primaryKey.columns }
    let isUnique = primaryKey.columns.allSatisfy(isNeverNull)
    return primaryKey.columns + (isUnique ? [] : rowIDName.map { [$0] } ?? [])
  }

  /// Returns whether a column is never NULL.
  fileprivate func isNeverNull(_ name: String) -> Bool {
    guard let column = columns.first(where: { $0.is(name) }) else {
      // The hidden row id. Any other name is an error, which SQLite reports.
      return true
    }
    return column.isNotNull || primaryKey.rowIDColumn.map(column.is) == true
      || !primaryKey.tableHasRowID && column.primaryKeyIndex > 0
  }
}

/// A term of a page's order: an expression, its direction, and the position of NULL.
struct PageTerm: Sendable {
  /// The expression, for any clause of the statement.
  fileprivate(set) var expression: SQLExpression
  /// The expression, as it is in the order.
  fileprivate(set) var sorted: ExpressionNode
  let direction: SQLOrdering.Direction
  /// The name of the column of the table, if the expression is a plain column.
  let column: String?
  /// Whether the expression is never NULL.
  let isNotNull: Bool

  var isAscending: Bool {
    switch direction {
    case .unstated, .ascending, .ascendingNullsLast: true
    case .descending, .descendingNullsFirst: false
    }
  }

  /// Whether NULL comes before all other values. In SQLite, it is the smallest value.
  /// https://www.sqlite.org/lang_select.html#the_order_by_clause
  private var hasNullFirst: Bool {
    switch direction {
    case .unstated, .ascending, .descendingNullsFirst: true
    case .descending, .ascendingNullsLast: false
    }
  }

  /// Returns the condition for values that come after a value; `nil` if none does.
  func isAfter(_ value: DatabaseValue) -> SQLExpression? {
    if value.isNull { return hasNullFirst ? expression != SQLExpression.null : nil }
    let isAfter: SQLExpression = isAscending ? expression > value : expression < value
    return hasNullFirst || isNotNull ? isAfter : isAfter || expression == SQLExpression.null
  }

  /// Returns the condition for values that come after a value or equal it, if an index can use it:
  /// if it is one comparison.
  func isNotBefore(_ value: DatabaseValue) -> SQLExpression? {
    guard !value.isNull, hasNullFirst || isNotNull else { return nil }
    return isAscending ? expression >= value : expression <= value
  }
}

extension [PageTerm] {
  /// Returns the condition for rows that come after a row with these values.
  ///
  /// ```sql
  /// ("name", "id") > ('cup', 1)
  /// ("score" <= 10) AND (("score" < 10) OR (("score" = 10) AND ("id" > 1)))
  /// ```
  func isAfter(_ values: [DatabaseValue]) -> SQLExpression {
    if count > 1, allSatisfy({ $0.isNotNull && $0.isAscending == self[0].isAscending }) {
      return SQLExpression(
        RowValueComparison(
          left: map(\.expression.node),
          operator: self[0].isAscending ? .greater : .less,
          right: values.map(\.node)
        )
      )
    }
    var alternatives: [ExpressionNode] = []
    var equalities: [ExpressionNode] = []
    for (term, value) in zip(self, values) {
      if let isAfter = term.isAfter(value) {
        alternatives.append(SQLExpression.chain(.and, equalities + [isAfter.node]).node)
      }
      equalities.append((term.expression == value).node)
    }
    let isAfter = SQLExpression.chain(.or, alternatives)
    // One alternative is a comparison that an index can use already.
    guard alternatives.count > 1, let bound = self[0].isNotBefore(values[0]) else { return isAfter }
    return bound && isAfter
  }
}

/// `("name", "id") > ('cup', 1)`: https://www.sqlite.org/rowvalue.html
struct RowValueComparison: ExpressionPart {
  let left: [ExpressionNode]
  let `operator`: Operation.Operator
  let right: [ExpressionNode]

  var operands: [ExpressionNode] { left + right }

  func write(to context: inout SQLContext) throws {
    context.append("(")
    try left.writeList(to: &context)
    context.append(") \(`operator`.rawValue) (")
    try right.writeList(to: &context)
    context.append(")")
  }
}
