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

  /// What a writer must find out for an observer of the region.
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
