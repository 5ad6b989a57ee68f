/// Associated rows that one statement fetches for all rows of a request.
struct Prefetch: Hashable, Sendable {
  /// A column of the foreign key.
  struct Column: Hashable, Sendable {
    /// The index of the column in the rows of the request.
    let index: Int
    /// The name of the column with the same value, in the table of the first step.
    let destination: String
    /// How that column compares strings; see ``PrefetchKeys``.
    let collation: KeyCollation
  }

  /// The scope of the rows that have associated rows, as names from the request's own rows on.
  let scope: [String]
  /// The name of the prefetched rows.
  let key: String
  /// The associated rows, and how they belong to the rows.
  let path: AssociationPath
  let columns: [Column]
  /// The tables of the request. The query of the associated rows cannot refer to them.
  let outside: [TableReference]

  /// The table with the columns.
  var table: TableReference { path.steps[0].statement.from.table }

  /// Returns the query of the rows that belong to rows with some keys.
  func query(_ keys: PrefetchKeys) -> SelectStatement {
    let condition = PrefetchCondition(columns: columns.map(\.destination), keys: keys.list)
    var query = path.startingAtDestination { $0.filter.conditions.append(condition.node) }
    query.limit = nil
    query.outside = outside
    return query
  }

  /// How the rows of the query belong to rows with the keys.
  var grouping: SelectStatement.Grouping {
    SelectStatement.Grouping(
      path: path.pivotPath,
      columns: columns.map(\.destination),
      limit: path.destination.limit
    )
  }
}

/// The condition that a row belongs to one of some keys: `"teamID" IN (1, 2, 3)`, or
/// `("room", "number") IN (VALUES ('A', 1), ('B', 2))` for a key of several columns.
struct PrefetchCondition: ExpressionPart {
  let columns: [String]
  let keys: PrefetchKeys.List

  /// The number of keys up to which each number has a text of its own. A text for each greater
  /// number would fill the cache of compiled statements.
  private static let maximumList = 100
  /// The number of values that are bound. SQLite takes at least as many, and more as literals.
  private static let maximumArguments = 30_000

  func write(to context: inout SQLContext) throws {
    guard columns.count == 1 else { return try writeRows(to: &context) }
    try context.append(column: columns[0])
    guard keys.isIntegers, keys.count > Self.maximumList else {
      context.append(" IN (")
      for index in 0..<listCount {
        if index > 0 { context.append(", ") }
        append(keys.values[min(index, keys.count - 1)], to: &context)
      }
      return context.append(")")
    }
    let list = keys.values.map(\.description).joined(separator: ",")
    context.append(" IN (SELECT value FROM json_each(")
    context.append(value: "[\(list)]".databaseValue)
    context.append("))")
  }

  private func writeRows(to context: inout SQLContext) throws {
    context.append("(")
    for (index, column) in columns.enumerated() {
      if index > 0 { context.append(", ") }
      try context.append(column: column)
    }
    context.append(") IN (")
    if keys.count == 0 {
      context.append("SELECT \(columns.map { _ in "NULL" }.joined(separator: ", ")) WHERE 0")
    } else {
      context.append("VALUES ")
    }
    for index in 0..<listCount {
      let key = min(index, keys.count - 1)
      context.append(index > 0 ? ", (" : "(")
      for column in 0..<keys.width {
        if column > 0 { context.append(", ") }
        append(keys.values[key * keys.width + column], to: &context)
      }
      context.append(")")
    }
    context.append(")")
  }

  /// The length of the list. The last key of a long list is repeated up to a power of two.
  private var listCount: Int {
    guard keys.count > Self.maximumList else { return keys.count }
    return 1 << (Int.bitWidth - (keys.count - 1).leadingZeroBitCount)
  }

  private func append(_ value: DatabaseValue, to context: inout SQLContext) {
    if listCount * keys.width > Self.maximumArguments {
      context.append(value.sqlLiteral)
    } else {
      context.append(value: value)
    }
  }
}
