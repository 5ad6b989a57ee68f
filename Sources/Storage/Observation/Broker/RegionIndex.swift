/// Finds the observations that a change touches, without asking those that it does not.
struct RegionIndex {
  typealias ID = UInt64

  /// The observations of one table.
  fileprivate struct Entry {
    /// Those of all rows.
    var allRows: Set<ID> = []
    /// Those of all rows and all columns.
    var allColumns: Set<ID> = []
    /// Those of all rows and some columns, by column.
    var byColumn: [String: Set<ID>] = [:]
    /// Those of some rows, by row id.
    var byRow: [Int64: Set<ID>] = [:]
    /// Those of some rows.
    var someRows: Set<ID> = []
    /// How many of those read a column; under `nil`, how many read all of them.
    var columnsOfSomeRows: [String?: Int] = [:]

    var isEmpty: Bool { allRows.isEmpty && someRows.isEmpty }

    /// Whether one of them reads all columns.
    var readsAllColumns: Bool { !allColumns.isEmpty || columnsOfSomeRows[nil] != nil }

    var observed: ObservedTable {
      let columns = Set(byColumn.keys).union(columnsOfSomeRows.keys.compactMap { $0 })
      return ObservedTable(
        columns: readsAllColumns ? nil : columns,
        hasRowObservers: !someRows.isEmpty
      )
    }

    /// Whether one of them reads a column, or all columns.
    func reads(_ column: String) -> Bool {
      byColumn[column] != nil || columnsOfSomeRows[column] != nil || readsAllColumns
    }
  }

  private var regions: [ID: DatabaseRegion] = [:]
  private var fullDatabase: Set<ID> = []
  private var tables: [TableName: Entry] = [:]

  /// What the observations want to know of each table.
  var observedTables: ObservedTables {
    ObservedTables(tables.mapValues(\.observed), includesFullDatabase: !fullDatabase.isEmpty)
  }

  /// The region of an observation, when it has one.
  func region(of id: ID) -> DatabaseRegion? { regions[id] }

  /// Sets the region of an observation.
  ///
  /// - Returns: Whether that has changed what is observed.
  mutating func set(_ region: DatabaseRegion, of id: ID) -> Bool {
    if regions[id] == region { return false }
    let removed = remove(id)
    regions[id] = region
    guard let parts = region.tables else {
      defer { fullDatabase.insert(id) }
      return fullDatabase.isEmpty || removed
    }
    var hasChanged = removed
    for (name, part) in parts where tables[name, default: Entry()].insert(id, part) {
      hasChanged = true
    }
    return hasChanged
  }

  /// Removes an observation.
  ///
  /// - Returns: Whether that has changed what is observed.
  @discardableResult
  mutating func remove(_ id: ID) -> Bool {
    guard let region = regions.removeValue(forKey: id) else { return false }
    guard let parts = region.tables else {
      fullDatabase.remove(id)
      return fullDatabase.isEmpty
    }
    var hasChanged = false
    for (name, part) in parts {
      if tables[name]?.remove(id, part) == true { hasChanged = true }
      if tables[name]?.isEmpty == true { tables[name] = nil }
    }
    return hasChanged
  }

  /// The observations that changes touch.
  func observations(touchedBy changes: DatabaseChanges) -> Set<ID> {
    guard case .tables(let changed) = changes else { return Set(regions.keys) }
    guard !changed.isEmpty else { return [] }
    var touched = fullDatabase
    for (name, change) in changed {
      guard let entry = tables[name] else { continue }
      if let columns = change.columns {
        touched.formUnion(entry.allColumns)
        for column in columns { touched.formUnion(entry.byColumn[column] ?? []) }
      } else {
        touched.formUnion(entry.allRows)
      }
      if let rowIDs = change.rowIDs {
        for rowID in rowIDs {
          for id in entry.byRow[rowID] ?? [] where touches(change, name, id) { touched.insert(id) }
        }
      } else {
        for id in entry.someRows where touches(change, name, id) { touched.insert(id) }
      }
    }
    return touched
  }

  private func touches(_ change: DatabaseChanges.Table, _ name: TableName, _ id: ID) -> Bool {
    regions[id]?.tables?[name].map(change.touches) ?? false
  }
}

extension DatabaseRegion.Table {
  /// The columns; for all columns, `nil` alone.
  fileprivate var columnKeys: [String?] {
    guard let columns else { return [nil] }
    return Array(columns)
  }
}

extension RegionIndex.Entry {
  /// Adds an observation.
  ///
  /// - Returns: Whether that has changed what is observed of the table.
  fileprivate mutating func insert(_ id: RegionIndex.ID, _ part: DatabaseRegion.Table) -> Bool {
    var hasChanged = isEmpty || (part.rowIDs != nil && someRows.isEmpty)
    if let columns = part.columns {
      hasChanged = hasChanged || !columns.allSatisfy(reads)
    } else {
      hasChanged = hasChanged || !readsAllColumns
    }
    guard let rowIDs = part.rowIDs else {
      allRows.insert(id)
      guard let columns = part.columns else {
        allColumns.insert(id)
        return hasChanged
      }
      for column in columns { byColumn[column, default: []].insert(id) }
      return hasChanged
    }
    someRows.insert(id)
    for rowID in rowIDs { byRow[rowID, default: []].insert(id) }
    for column in part.columnKeys { columnsOfSomeRows[column, default: 0] += 1 }
    return hasChanged
  }

  /// Removes an observation.
  ///
  /// - Returns: Whether that has changed what is observed of the table.
  fileprivate mutating func remove(_ id: RegionIndex.ID, _ part: DatabaseRegion.Table) -> Bool {
    if let rowIDs = part.rowIDs {
      someRows.remove(id)
      for rowID in rowIDs {
        byRow[rowID]?.remove(id)
        if byRow[rowID]?.isEmpty == true { byRow[rowID] = nil }
      }
      for column in part.columnKeys {
        let count = columnsOfSomeRows[column] ?? 0
        columnsOfSomeRows[column] = count > 1 ? count - 1 : nil
      }
    } else {
      allRows.remove(id)
      if part.columns == nil { allColumns.remove(id) }
      for column in part.columns ?? [] {
        byColumn[column]?.remove(id)
        if byColumn[column]?.isEmpty == true { byColumn[column] = nil }
      }
    }
    if isEmpty || (part.rowIDs != nil && someRows.isEmpty) { return true }
    guard let columns = part.columns else { return !readsAllColumns }
    return !columns.allSatisfy(reads)
  }
}
