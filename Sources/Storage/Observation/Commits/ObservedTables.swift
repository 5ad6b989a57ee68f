/// The columns and rows of one table that the live observations of a file read.
struct ObservedTable: Hashable, Sendable {
  /// The columns that any of the observations reads.
  var columns: Extent<ColumnName>
  /// Whether an observation reads single rows.
  var hasRowObservers: Bool
  /// The columns that observed queries compare with arguments or constants.
  var conditionColumns: Set<ConditionColumn> = []

  func union(_ other: ObservedTable) -> ObservedTable {
    ObservedTable(
      columns: columns.union(other.columns),
      hasRowObservers: hasRowObservers || other.hasRowObservers,
      conditionColumns: conditionColumns.union(other.conditionColumns)
    )
  }
}

/// The tables that the live observations of a file read.
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

  /// The columns and rows of a table whose changes must be found out; `nil` if it is enough to know
  /// that the table has changed.
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

/// Changes as regions, and regions as changes.
extension DatabaseRegion {
  /// The region that changes have touched.
  init(_ changes: DatabaseChanges) {
    switch changes {
    case .everything:
      self = .fullDatabase
    case .tables(let tables):
      self.init(tables: tables.mapValues { Table(columns: $0.columns, rowIDs: $0.rowIDs) })
    }
  }

  /// Changes of everything in the region.
  var asChanges: DatabaseChanges {
    guard let tables else { return .everything }
    return .tables(
      tables.filter { !$0.value.isEmpty }.mapValues { part in
        // A part without columns depends on which rows exist.
        let columns = part.columns == .some([]) ? .all : part.columns
        return DatabaseChanges.Table(columns: columns, rowIDs: part.rowIDs)
      }
    )
  }

  /// The changes that a writer must find out for an observer of the region.
  var observedTables: ObservedTables {
    let tables = (tables ?? [:]).mapValues {
      let columns = Set(($0.conditions.elements ?? []).map(\.column))
      return ObservedTable(
        columns: $0.columns,
        hasRowObservers: columns.contains(.rowID),
        conditionColumns: columns.subtracting([.rowID])
      )
    }
    return ObservedTables(tables, includesFullDatabase: isFullDatabase)
  }

  /// Whether `changes` may have changed something in the region.
  func isTouched(by changes: DatabaseChanges) -> Bool {
    guard case .tables(let changed) = changes else { return true }
    guard let tables else { return true }
    return tables.contains { name, part in
      changed[name]?.touches(part) ?? false
    }
  }
}
