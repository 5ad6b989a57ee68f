/// Associated rows that one statement fetches for all rows of a request.
struct Prefetch: Hashable, Sendable {
  /// A column of the foreign key.
  struct Column: Hashable, Sendable {
    /// The index of the column in the rows of the request.
    let index: Int
    /// The name of the column with the same value, in the table of the first step.
    let destination: String
    /// How that column compares strings.
    let collation: KeyCollation
  }

  /// The scope of the rows that have associated rows, as names from the request's own rows on.
  let scope: [String]
  /// The name of the prefetched rows.
  let key: String
  /// The associated rows, and how they belong to the rows.
  let path: AssociationPath
  let columns: [Column]
  /// The tables of the request, to which the query of the associated rows cannot refer.
  let outside: [TableReference]

  /// Returns the query of the rows that belong to rows with some keys.
  func query(_ keys: PrefetchKeys) -> SelectStatement {
    let condition = PrefetchCondition(columns: columns.map(\.destination), keys: keys)
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
