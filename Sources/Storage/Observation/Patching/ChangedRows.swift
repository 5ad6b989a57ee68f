/// The rows of some tables that have changed between two snapshots.
struct ChangedRows: Sendable {
  /// The number of the earlier snapshot.
  let since: CommitNumber
  let tables: [TableName: RowIdentities]

  /// The number of rows.
  var count: Int { tables.values.reduce(0) { $0 + $1.count } }

  init(since: CommitNumber, _ tables: [TableName: RowIdentities]) {
    self.since = since
    self.tables = tables
  }

  func rows(of table: TableName) -> RowIdentities { tables[table] ?? .none }
}
