/// What the live observations of a file want to know of one table.
struct ObservedTable: Hashable, Sendable {
  /// The columns that some observation reads, in lower case; `nil` when one reads all of them.
  var columns: Set<String>?
  /// Whether some observation reads single rows.
  var hasRowObservers: Bool

  func union(_ other: ObservedTable) -> ObservedTable {
    ObservedTable(
      columns: columns.flatMap { columns in other.columns.map(columns.union) },
      hasRowObservers: hasRowObservers || other.hasRowObservers
    )
  }
}

/// What the live observations of a file want to know.
struct ObservedTables: Sendable {
  private var tables: [TableName: ObservedTable] = [:]
  /// Whether some observation reads the full database: all columns of all tables, those included that
  /// others read less of.
  private(set) var includesFullDatabase = false

  init() {}

  init(_ tables: [TableName: ObservedTable], includesFullDatabase: Bool) {
    self.tables = tables
    self.includesFullDatabase = includesFullDatabase
  }

  /// The tables that are observed by name.
  var names: some Collection<TableName> { tables.keys }

  /// What is to be found out about a table; `nil` when it is enough to know that it has changed.
  subscript(name: TableName) -> ObservedTable? {
    guard var table = tables[name] else { return nil }
    if includesFullDatabase { table.columns = nil }
    return table
  }

  mutating func formUnion(_ other: ObservedTables) {
    tables.merge(other.tables) { $0.union($1) }
    if other.includesFullDatabase { includesFullDatabase = true }
  }
}
