internal import WellspringSystem

/// Finds the observations that a change touches, without looking at the other observations.
struct RegionIndex {
  typealias ID = QueryID

  /// The observations of one table.
  fileprivate struct Entry {
    /// The observations of all rows.
    var allRows: Set<ID> = []
    /// The observations of all rows and all columns.
    var allColumns: Set<ID> = []
    /// The observations of all rows and some columns, by column.
    var byColumn: [ColumnName: Set<ID>] = [:]
    /// The observations of the rows that have certain values in a column, by column. The row id is
    /// a column too.
    var byValue: [ConditionColumn: ValueIndex] = [:]
    /// How many observations there are of rows that have certain values.
    var someRows = 0
    /// How many observations of some rows read a column; under `nil`, how many read all columns.
    var columnsOfSomeRows: [ColumnName?: Int] = [:]
    /// The observations whose values are patched by the rows that change.
    var patched: Set<ID> = []
    /// The observations whose values are patched by the values of a column, by column.
    var patchedByValue: [ConditionColumn: Set<ID>] = [:]

    var isEmpty: Bool { allRows.isEmpty && someRows == 0 }

    /// Whether an observation reads all columns.
    var readsAllColumns: Bool { !allColumns.isEmpty || columnsOfSomeRows[nil] != nil }

    /// Whether writers must find out which rows change.
    var hasRowObservers: Bool {
      byValue[.rowID] != nil || !patched.isEmpty || patchedByValue[.rowID] != nil
    }

    /// The columns whose values writers must find out.
    var conditionColumns: Set<ConditionColumn> {
      Set(byValue.keys).union(patchedByValue.keys).subtracting([.rowID])
    }

    var observed: ObservedTable {
      let columns = Set(byColumn.keys).union(columnsOfSomeRows.keys.compactMap { $0 })
      return ObservedTable(
        columns: readsAllColumns ? .all : .some(columns),
        hasRowObservers: hasRowObservers,
        conditionColumns: conditionColumns
      )
    }

    /// Whether an observation reads a column, or all columns; with `nil`, whether one reads all.
    func reads(_ column: ColumnName?) -> Bool {
      guard let column else { return readsAllColumns }
      return byColumn[column] != nil || columnsOfSomeRows[column] != nil || readsAllColumns
    }
  }

  private var regions: [ID: DatabaseRegion] = [:]
  private var patchInputs: [ID: PatchInputs] = [:]
  private var fullDatabase: Set<ID> = []
  private var tables: [TableName: Entry] = [:]

  /// The columns and rows of each table whose changes writers must find out.
  var observedTables: ObservedTables {
    ObservedTables(tables.mapValues(\.observed), includesFullDatabase: !fullDatabase.isEmpty)
  }

  /// Returns the region of an observation; `nil` before it is set.
  func region(of id: ID) -> DatabaseRegion? { regions[id] }

  /// Returns the data of each commit that patches of an observation's value need.
  func patchInputs(of id: ID) -> PatchInputs { patchInputs[id] ?? .none }

  /// Sets the region of an observation.
  ///
  /// - Parameters:
  ///   - region: The region.
  ///   - id: The observation.
  ///   - inputs: The data of each commit that patches of its value need.
  /// - Returns: Whether that has changed the union of the regions, or the changes that writers must
  ///   find out.
  mutating func set(
    _ region: DatabaseRegion,
    of id: ID,
    patchInputs inputs: PatchInputs = .none
  ) -> Bool {
    if regions[id] == region, patchInputs(of: id) == inputs { return false }
    let removed = remove(id)
    regions[id] = region
    defer { setPatchInputs(inputs, of: id) }
    guard let parts = region.tables else {
      defer { fullDatabase.insert(id) }
      return fullDatabase.isEmpty || removed
    }
    var hasChanged = removed
    for (name, part) in parts {
      if let index = tables.index(forKey: name) {
        if tables.values[index].insert(id, part) { hasChanged = true }
      } else if tables[name, default: Entry()].insert(id, part) {
        hasChanged = true
      }
    }
    if inputs.rows.contains(where: { tables[$0]?.hasRowObservers == false }) { hasChanged = true }
    for (table, columns) in inputs.values {
      guard let entry = tables[table] else { continue }
      var known = entry.conditionColumns
      if entry.hasRowObservers { known.insert(.rowID) }
      if !columns.isSubset(of: known) { hasChanged = true }
    }
    return hasChanged
  }

  private mutating func setPatchInputs(_ inputs: PatchInputs, of id: ID) {
    guard !inputs.isEmpty else {
      if !patchInputs.isEmpty { patchInputs[id] = nil }
      return
    }
    patchInputs[id] = inputs
    for table in inputs.rows { tables[table]?.patched.insert(id) }
    for (table, columns) in inputs.values {
      for column in columns { tables[table]?.patchedByValue[column, default: []].insert(id) }
    }
  }

  /// Removes an observation.
  ///
  /// - Returns: Whether that has changed the union of the regions.
  @discardableResult
  mutating func remove(_ id: ID) -> Bool {
    guard let region = regions.removeValue(forKey: id) else { return false }
    var hasChanged = false
    if !patchInputs.isEmpty, let inputs = patchInputs.removeValue(forKey: id) {
      for table in inputs.tables {
        if tables[table]?.removePatches(of: id, inputs.values[table] ?? []) == true {
          hasChanged = true
        }
      }
    }
    guard let parts = region.tables else {
      fullDatabase.remove(id)
      return fullDatabase.isEmpty
    }
    for (name, part) in parts {
      guard let index = tables.index(forKey: name) else { continue }
      if tables.values[index].remove(id, part) { hasChanged = true }
      if tables.values[index].isEmpty { tables.remove(at: index) }
    }
    return hasChanged
  }

  /// Returns the observations that changes touch.
  func observations(touchedBy changes: DatabaseChanges) -> Set<ID> {
    guard case .tables(let changed) = changes else { return Set(regions.keys) }
    guard !changed.isEmpty else { return [] }
    var touched = fullDatabase
    for (name, change) in changed {
      guard let entry = tables[name] else { continue }
      if let columns = change.columns.elements {
        touched.formUnion(entry.allColumns)
        for column in columns { touched.formUnion(entry.byColumn[column] ?? []) }
      } else {
        touched.formUnion(entry.allRows)
      }
      for (column, observations) in entry.byValue {
        func touch(_ id: ID) {
          if reads(id, name, change) { touched.insert(id) }
        }
        guard let values = change.keys(of: column) ?? (Fault.isOn(.valueIndex) ? [] : nil) else {
          observations.forEach(touch)
          continue
        }
        for value in values { observations.forEach(of: value, touch) }
      }
    }
    return touched
  }

  /// Whether an observation that looks for a value of a changed row reads the changed columns.
  private func reads(_ id: ID, _ name: TableName, _ change: DatabaseChanges.Table) -> Bool {
    guard let part = regions[id]?.tables?[name] else { return false }
    // The index of values has compared either the row ids or the values.
    return part.rowIDs.isAll || part.values.isAll
      ? change.columns.overlaps(part.columns) : change.touches(part)
  }
}

extension DatabaseRegion.Table {
  /// Calls a closure with each column; for all columns, only with `nil`.
  fileprivate func forEachColumn(_ body: (ColumnName?) -> Void) {
    guard let columns = columns.elements else { return body(nil) }
    for column in columns { body(column) }
  }
}

extension RegionIndex.Entry {
  /// Adds an observation.
  ///
  /// - Returns: Whether that has changed the observed columns and rows of the table.
  fileprivate mutating func insert(_ id: RegionIndex.ID, _ part: DatabaseRegion.Table) -> Bool {
    var hasChanged = isEmpty
    guard part.hasConditions else {
      allRows.insert(id)
      guard let columns = part.columns.elements else {
        hasChanged = hasChanged || !readsAllColumns
        allColumns.insert(id)
        return hasChanged
      }
      for column in columns {
        hasChanged = hasChanged || !reads(column)
        byColumn[column, default: []].insert(id)
      }
      return hasChanged
    }
    someRows += 1
    part.forEachCondition { value in
      if let index = byValue.index(forKey: value.column) {
        byValue.values[index].insert(id, value.range)
      } else {
        hasChanged = true
        byValue[value.column, default: ValueIndex()].insert(id, value.range)
      }
    }
    part.forEachColumn { column in
      if let index = columnsOfSomeRows.index(forKey: column) {
        columnsOfSomeRows.values[index] += 1
      } else {
        hasChanged = hasChanged || !reads(column)
        columnsOfSomeRows[column] = 1
      }
    }
    return hasChanged
  }

  /// Removes an observation.
  ///
  /// - Returns: Whether that has changed the observed columns and rows of the table.
  fileprivate mutating func remove(_ id: RegionIndex.ID, _ part: DatabaseRegion.Table) -> Bool {
    var hasChanged = false
    guard part.hasConditions else {
      allRows.remove(id)
      guard let columns = part.columns.elements else {
        allColumns.remove(id)
        return isEmpty || !readsAllColumns
      }
      for column in columns {
        byColumn[column]?.remove(id)
        guard byColumn[column]?.isEmpty == true else { continue }
        byColumn[column] = nil
        hasChanged = hasChanged || !reads(column)
      }
      return isEmpty || hasChanged
    }
    someRows -= 1
    part.forEachCondition { value in
      guard let index = byValue.index(forKey: value.column),
        byValue.values[index].remove(id, value.range)
      else { return }
      byValue.remove(at: index)
      hasChanged = true
    }
    part.forEachColumn { column in
      guard let index = columnsOfSomeRows.index(forKey: column) else { return }
      columnsOfSomeRows.values[index] -= 1
      guard columnsOfSomeRows.values[index] == 0 else { return }
      columnsOfSomeRows.remove(at: index)
      hasChanged = hasChanged || !reads(column)
    }
    return isEmpty || hasChanged
  }

  /// Removes an observation from the observations with patched values.
  ///
  /// - Returns: Whether writers need no longer find out something.
  fileprivate mutating func removePatches(
    of id: RegionIndex.ID,
    _ columns: Set<ConditionColumn>
  ) -> Bool {
    let before = (hasRowObservers, conditionColumns)
    patched.remove(id)
    for column in columns {
      patchedByValue[column]?.remove(id)
      if patchedByValue[column]?.isEmpty == true { patchedByValue[column] = nil }
    }
    return before != (hasRowObservers, conditionColumns)
  }
}
