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
  /// What made them.
  var origin = Origin.own

  /// What makes changes.
  enum Origin: Equatable, Sendable {
    case own
    /// Foreign commits. If their pages could not be read, anything may have changed.
    case foreign(PageObstacle?)
  }

  /// A commit that may have changed anything.
  static let everything = CommittedChanges(
    observed: .everything,
    unreported: .everything,
    growth: Growth(0)
  )

  /// Foreign commits that may have changed anything.
  static func foreign(_ obstacle: PageObstacle) -> CommittedChanges {
    var changes = CommittedChanges.everything
    changes.origin = .foreign(obstacle)
    return changes
  }

  /// Whether foreign commits make the changes.
  var isForeign: Bool { origin != .own }

  /// Why it is not known what foreign commits have changed; `nil` if it is, or if they are no
  /// foreign ones.
  var obstacle: PageObstacle? {
    if case .foreign(let obstacle) = origin { return obstacle }
    return nil
  }

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
