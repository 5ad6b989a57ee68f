/// The place of a commit in the order of the commits of one file, as this process sees it.
///
/// Commits of this process get numbers, and so do the moments at which foreign commits are noticed.
/// A snapshot has the number of the last commit that it contains. Numbers are not kept when the
/// process ends.
struct CommitNumber: Hashable, Comparable, Sendable {
  let rawValue: UInt64

  init(_ rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The number before the first commit.
  static let none = CommitNumber(0)

  /// A number that no commit reaches.
  static let max = CommitNumber(.max)

  /// The number of the commit that follows.
  var next: CommitNumber { CommitNumber(rawValue + 1) }

  static func < (left: CommitNumber, right: CommitNumber) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension CommitNumber: CustomStringConvertible {
  var description: String { String(rawValue) }
}

/// The number of times that tables, columns or rows were added to the observed ones.
///
/// A transaction tracks the tables, columns and rows that were observed when it began. So its
/// changes may miss a query whose region was indexed at a later count.
struct ObservationGeneration: Hashable, Comparable, Sendable {
  let rawValue: UInt64

  init(_ rawValue: UInt64) {
    self.rawValue = rawValue
  }

  static func < (left: ObservationGeneration, right: ObservationGeneration) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The changes of a commit, as far as they were observed when its transaction began.
struct CommittedChanges: Sendable {
  /// The changes of the columns and rows that were observed.
  let observed: DatabaseChanges
  /// The tables with changed rows, observed or not.
  var writtenTables: [TableName] = []
  /// The changes that were not reported row by row.
  var unreported = DatabaseChanges.none
  /// The growth of the observed tables when the transaction began.
  let growth: ObservationGeneration
  /// The source of the changes.
  var origin = Origin.own

  /// The source of changes.
  enum Origin: Equatable, Sendable {
    case own
    /// Foreign commits. If their pages could not be read, anything may have changed.
    case foreign(PageObstacle?)
  }

  /// A commit that may have changed anything.
  static let everything = CommittedChanges(
    observed: .everything,
    unreported: .everything,
    growth: ObservationGeneration(0)
  )

  /// Foreign commits that may have changed anything.
  static func foreign(_ obstacle: PageObstacle) -> CommittedChanges {
    var changes = CommittedChanges.everything
    changes.origin = .foreign(obstacle)
    return changes
  }

  /// Whether foreign commits make the changes.
  var isForeign: Bool { origin != .own }

  /// Why the changes of foreign commits are not known; `nil` if they are known, or if the commits
  /// are not foreign.
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

/// A receiver of the commits to one file, which ``FileCommits`` notifies.
protocol CommitListener: AnyObject, Sendable {
  /// The tables, columns and rows that the live observations of the listener read.
  var observedTables: ObservedTables { get }

  /// A commit has ended, or a change that counts as one.
  ///
  /// Called on the thread that made or noticed the commit, outside the lock of ``FileCommits``.
  func didCommit(number: CommitNumber, _ changes: CommittedChanges)
}
