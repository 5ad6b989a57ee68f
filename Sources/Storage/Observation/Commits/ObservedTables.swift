/// What the live observations of a file read.
struct ObservedTables: Sendable {
  private var tables: [TableName: ObservedTable] = [:]
  /// Whether an observation reads the full database: all columns of all tables, even where other
  /// observations read single columns.
  private(set) var includesFullDatabase = false

  init() {}

  init(_ tables: [TableName: ObservedTable], includesFullDatabase: Bool) {
    self.tables = tables
    self.includesFullDatabase = includesFullDatabase
  }

  /// The tables that observations name.
  var names: some Collection<TableName> { tables.keys }

  /// What must be found out about a table; `nil` if it is enough to know that the table has
  /// changed.
  subscript(name: TableName) -> ObservedTable? {
    guard var table = tables[name] else { return nil }
    if includesFullDatabase { table.columns = .all }
    return table
  }

  mutating func formUnion(_ other: ObservedTables) {
    tables.merge(other.tables) { $0.union($1) }
    if other.includesFullDatabase { includesFullDatabase = true }
  }
}
