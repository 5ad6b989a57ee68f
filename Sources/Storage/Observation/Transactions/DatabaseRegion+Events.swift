extension DatabaseRegion {
  /// Returns whether the change of a row may have changed something in the region.
  ///
  /// The event does not say which columns an update has changed: it counts when the region has the
  /// row.
  public func isModified(by event: DatabaseEvent) -> Bool {
    guard let tables else { return true }
    let name = TableName(schema: event.databaseName, name: event.tableName)
    guard let part = tables[name] else { return false }
    guard let rowIDs = part.rowIDs.elements, let rowID = event.rowID else { return !part.isEmpty }
    return rowIDs.contains(rowID) || event.previousRowID.map(rowIDs.contains) == true
  }

  /// Returns whether changes of a kind may change something in the region, in any database of the
  /// connection.
  ///
  /// Most transaction observers call it in ``TransactionObserver/observes(eventsOfKind:)``.
  public func isModified(byEventsOfKind kind: DatabaseEventKind) -> Bool {
    guard let tables else { return true }
    let name = kind.tableName.asciiLowercased
    return tables.contains { table, part in
      guard table.name == name, !part.isEmpty else { return false }
      guard case .update(_, let columns) = kind, let wanted = part.columns.elements else {
        return true
      }
      return columns.contains { wanted.contains(ColumnName($0)) }
    }
  }
}

extension DatabaseRegion {
  /// Returns the kinds of changes that can touch the region, with names as they were declared.
  func eventKinds(_ db: Database) throws -> [DatabaseEventKind] {
    guard let tables else { return try Self.eventKindsOfAllTables(db) }
    return try tables.flatMap { table, part -> [DatabaseEventKind] in
      let columns = try Row.fetchAll(
        db,
        sql: """
          \(Self.columns)
          WHERE tables.schema = ? COLLATE NOCASE AND tables.name = ? COLLATE NOCASE
          """,
        arguments: [table.schema, table.name]
      )
      guard let name = try columns.first?.decode(String.self, forColumn: "table") else { return [] }
      let updated = try columns.map { try $0.decode(String.self, forColumn: "column") }
        .filter { part.columns.elements?.contains(ColumnName($0)) ?? true }
      return Self.eventKinds(of: name, updated: updated)
    }
  }

  private static func eventKindsOfAllTables(_ db: Database) throws -> [DatabaseEventKind] {
    let columns = try Row.fetchAll(
      db,
      sql: """
        \(columns)
        WHERE tables.type <> 'view' AND tables.name NOT LIKE 'sqlite@_%' ESCAPE '@'
        """
    )
    let tables = try Dictionary(grouping: columns) {
      try $0.decode(String.self, forColumn: "table")
    }
    return try tables.flatMap { table, columns in
      eventKinds(of: table, updated: try columns.map { try $0.decode(forColumn: "column") })
    }
  }

  private static func eventKinds(of table: String, updated: [String]) -> [DatabaseEventKind] {
    [
      .insert(tableName: table), .delete(tableName: table),
      .update(tableName: table, columnNames: Set(updated)),
    ]
  }

  /// Selects the columns of tables.
  private static let columns = """
    SELECT tables.name AS "table", columns.name AS "column"
    FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name, tables.schema) AS columns
    """
}
