/// What a transaction has changed.
enum DatabaseChanges: Sendable {
  /// The changes of one table. Nothing is kept of values.
  struct Table: Sendable {
    /// The columns of updated rows, in lower case; `nil` when rows came or went, which changes every
    /// query over the table.
    var columns: Set<String>?
    /// The row ids; `nil` for any.
    var rowIDs: Set<Int64>?

    static let all = Table(columns: nil, rowIDs: nil)

    /// Whether any row may have come, gone or changed.
    var isAll: Bool { columns == nil && rowIDs == nil }

    func union(_ other: Table) -> Table {
      Table(
        columns: columns.flatMap { columns in other.columns.map(columns.union) },
        rowIDs: rowIDs.flatMap { rowIDs in other.rowIDs.map(rowIDs.union) }
      )
    }

    func touches(_ part: DatabaseRegion.Table) -> Bool {
      if let columns, let wanted = part.columns, columns.isDisjoint(with: wanted) { return false }
      if let rowIDs, let wanted = part.rowIDs, rowIDs.isDisjoint(with: wanted) { return false }
      return true
    }
  }

  /// Anything may have changed: the schema did, or the hooks cannot tell.
  case everything
  /// These tables have changed; none for a transaction that left everything as it was.
  case tables([TableName: Table])

  static let none = DatabaseChanges.tables([:])

  func union(_ other: DatabaseChanges) -> DatabaseChanges {
    guard case .tables(let tables) = self, case .tables(let otherTables) = other else {
      return .everything
    }
    if tables.isEmpty { return other }
    if otherTables.isEmpty { return self }
    return .tables(tables.merging(otherTables) { $0.union($1) })
  }

  mutating func formUnion(_ other: DatabaseChanges) { self = union(other) }

  var isEmpty: Bool {
    if case .tables(let tables) = self { return tables.isEmpty }
    return false
  }
}

/// What a commit has changed, as far as was observed when its transaction began.
struct CommittedChanges: Sendable {
  /// The changes of the columns and rows that were observed.
  let observed: DatabaseChanges
  /// The tables with changed rows, observed or not.
  var writtenTables: [TableName] = []
  /// What has changed without an event for each row.
  var others = DatabaseChanges.none
  /// How often what is observed had grown when `observed` was begun to be noted.
  let growth: UInt64

  /// A commit that may have changed anything.
  static let everything = CommittedChanges(
    observed: .everything,
    others: .everything,
    growth: 0
  )

  /// All tables with changed rows, observed or not, each as changed altogether; and those whose changes
  /// nobody tells of.
  var touched: DatabaseChanges {
    var tables: [TableName: DatabaseChanges.Table] = [:]
    for table in writtenTables {
      tables[table] = .all
      tables[TableName(schema: table.schema, name: RegionAnalysis.sequenceTable)] = .all
    }
    tables[TableName(schema: "main", name: RegionAnalysis.sequenceTable)] = .all
    return others.union(.tables(tables))
  }
}
