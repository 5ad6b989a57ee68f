/// What a commit has changed, as far as it was observed when its transaction began.
struct CommittedChanges: Sendable {
  /// The changes of the columns and rows that were observed.
  let observed: DatabaseChanges
  /// The tables with changed rows, observed or not.
  var writtenTables: [TableName] = []
  /// The changes that were not reported row by row.
  var unreported = DatabaseChanges.none
  /// The growth of what was observed when the transaction began.
  let growth: Growth

  /// A commit that may have changed anything.
  static let everything = CommittedChanges(
    observed: .everything,
    unreported: .everything,
    growth: Growth(0)
  )

  /// All tables with changed rows, observed or not, each as changed in all of its rows; and the
  /// sequence tables, whose changes have no event.
  var touched: DatabaseChanges {
    var tables: [TableName: DatabaseChanges.Table] = [:]
    for table in writtenTables {
      tables[table] = .all
      tables[TableName(schema: table.schema, name: RegionAnalysis.sequenceTable)] = .all
    }
    tables[TableName(schema: "main", name: RegionAnalysis.sequenceTable)] = .all
    return unreported.union(.tables(tables))
  }
}
