import CWellspringSQLite

@testable import Storage

/// Records the changed rows of some tables as a writer with an observer does.
final class RecordedRows {
  private let db: Database
  private var changes: TransactionChanges

  init(of names: [String], in db: Database) throws {
    self.db = db
    let tables = names.map { TableName(schema: "main", name: $0) }
    var observed: [TableName: ObservedTable] = [:]
    var columns: [TableName: StoredColumns] = [:]
    for table in tables {
      let stored = try StoredColumns(of: table, db)
      columns[table] = stored
      observed[table] = ObservedTable(
        columns: .all,
        hasRowObservers: true,
        conditionColumns: Set(stored.names.map { ConditionColumn(name: $0, collation: .binary) })
      )
    }
    changes = TransactionChanges(
      totalChanges: 0,
      isTracked: true,
      observedTables: ObservedTables(observed, includesFullDatabase: false),
      storedColumns: columns
    )
    sqlite3_preupdate_hook(
      db.sqliteConnection,
      { context, connection, operation, schema, table, oldRowID, newRowID in
        let recorded = Unmanaged<RecordedRows>.fromOpaque(context!).takeUnretainedValue()
        let row = PreupdateRow(
          connection: connection!,
          operation: operation,
          oldRowID: oldRowID,
          newRowID: newRowID
        )
        _ = recorded.changes.note(row, schema!, table!)
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  /// Returns the rows that a body changes, and the values of all columns; `nil` if the rows are not
  /// known.
  func rows(changedBy body: () throws -> Void) rethrows -> ChangedRows? {
    changes.begin(totalChanges: 0)
    try body()
    let committed = changes.finish(growth: ObservationGeneration(1))
    guard case .tables(let tables) = committed.observed,
      tables.values.allSatisfy({ $0.rows != nil })
    else { return nil }
    return ChangedRows(
      since: .none,
      ChangedRows.Content(
        rows: tables.compactMapValues(\.rows),
        values: tables.mapValues { table in
          var values = table.values.mapValues { Set($0.keys) }
          values[.rowID] = table.keys(of: .rowID).map { Set($0) }
          return values
        }
      )
    )
  }

  func end() { sqlite3_preupdate_hook(db.sqliteConnection, nil, nil) }
}
