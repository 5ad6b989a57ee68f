import CWellspringSQLite

@testable import Storage

/// Records the changed rows of one table as a writer with an observer does.
final class RecordedRows {
  private let db: Database
  private let table: TableName
  private var changes: TransactionChanges

  init(of name: String, _ db: Database) throws {
    self.db = db
    table = TableName(schema: "main", name: name)
    changes = TransactionChanges(
      totalChanges: 0,
      isTracked: true,
      observedTables: ObservedTables(
        [table: ObservedTable(columns: .all, hasRowObservers: true)],
        includesFullDatabase: false
      ),
      storedColumns: [table: try StoredColumns(of: table, db)]
    )
    sqlite3_preupdate_hook(
      db.sqliteConnection,
      { context, connection, operation, schema, table, oldRowID, newRowID in
        let recorded = Unmanaged<RecordedRows>.fromOpaque(context!).takeUnretainedValue()
        _ = recorded.changes.note(connection!, operation, schema!, table!, oldRowID, newRowID)
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  /// Returns the rows that a body changes; `nil` if they are not known.
  func rows(changedBy body: () throws -> Void) rethrows -> RowIdentities? {
    changes.begin(totalChanges: 0)
    try body()
    let committed = changes.finish(growth: Growth(1))
    guard case .tables(let tables) = committed.observed else { return nil }
    return tables[table].map(\.rows) ?? RowIdentities.none
  }

  func end() { sqlite3_preupdate_hook(db.sqliteConnection, nil, nil) }
}
