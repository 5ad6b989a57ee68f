extension DatabaseRegion {
  /// Whether the change of a row may have changed something in the region.
  ///
  /// Which columns an update has changed is not in the event: it counts when the region has the row.
  public func isModified(by event: DatabaseEvent) -> Bool {
    guard let tables else { return true }
    let name = TableName(schema: event.databaseName, name: event.tableName)
    guard let part = tables[name] else { return false }
    guard let rowIDs = part.rowIDs, let rowID = event.rowID else { return !part.isEmpty }
    return rowIDs.contains(rowID) || event.previousRowID.map(rowIDs.contains) == true
  }

  /// Whether changes of a kind may change something in the region, in whatever database of the
  /// connection.
  ///
  /// It is what most transaction observers ask in
  /// ``TransactionObserver/observes(eventsOfKind:)``.
  public func isModified(byEventsOfKind kind: DatabaseEventKind) -> Bool {
    guard let tables else { return true }
    let name = kind.tableName.asciiLowercased
    return tables.contains { table, part in
      guard table.name == name, !part.isEmpty else { return false }
      guard case .update(_, let columns) = kind, let wanted = part.columns else { return true }
      return columns.contains { wanted.contains($0.asciiLowercased) }
    }
  }
}

extension DatabaseRegion {
  /// What changes have touched.
  init(_ changes: DatabaseChanges) {
    switch changes {
    case .everything:
      self = .fullDatabase
    case .tables(let tables):
      self.init(tables: tables.mapValues { Table(columns: $0.columns, rowIDs: $0.rowIDs) })
    }
  }

  /// What has changed when the whole region counts as changed.
  var asChanges: DatabaseChanges {
    guard let tables else { return .everything }
    return .tables(
      tables.filter { !$0.value.isEmpty }.mapValues { part in
        // Without a column, the rows themselves have changed.
        let columns = part.columns.flatMap { $0.isEmpty ? nil : $0 }
        return DatabaseChanges.Table(columns: columns, rowIDs: part.rowIDs)
      }
    )
  }

  /// What somebody who follows the region wants to know.
  var observedTables: ObservedTables {
    let tables = (tables ?? [:]).mapValues {
      ObservedTable(columns: $0.columns, hasRowObservers: $0.rowIDs != nil)
    }
    return ObservedTables(tables, includesFullDatabase: isFullDatabase)
  }
}

extension DatabaseRegion {
  /// The kinds of changes that can touch the region, with names as they were declared; `nil` for all
  /// kinds.
  func eventKinds(_ db: Database) throws -> [DatabaseEventKind]? {
    try tables?.flatMap { table, part -> [DatabaseEventKind] in
      let columns = try Row.fetchAll(
        db,
        sql: """
          SELECT tables.name AS "table", columns.name AS "column"
          FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name, tables.schema) AS columns
          WHERE tables.schema = ? COLLATE NOCASE AND tables.name = ? COLLATE NOCASE
          """,
        arguments: [table.schema, table.name]
      )
      guard let name = columns.first?["table"] as String? else { return [] }
      let updated = columns.map { $0["column"] as String }
        .filter { part.columns?.contains($0.asciiLowercased) ?? true }
      return [
        .insert(tableName: name), .delete(tableName: name),
        .update(tableName: name, columnNames: Set(updated)),
      ]
    }
  }
}
