internal import CommandLineSupport
internal import Dispatch
internal import Storage

/// Fetches the rows that a pane shows: a small result as a whole, so that all its changes are
/// known, and of a large result only the rows that fit the window.
struct PaneFetch: Sendable {
  let query: WatchedQuery

  /// The largest number of rows that are fetched as a whole.
  static let wholeLimit = 2_000

  /// The number of rows of a large result, and when it may be counted again.
  var count: Int?
  private(set) var nextCount = DispatchTime.now()
  /// The seconds that counting has taken so far.
  private(set) var countingTime = 0.0
  /// The part of the time that counting may take.
  private static let countingShare = 0.01

  /// The last fetched rows: a part of a large result, or all of a small result, which may be large
  /// next.
  var window: Window?
  /// The last row id of the result, and the rows that were added after it.
  var lastRowID: Int64?
  var appended: PaneContents.Appended?

  struct Window {
    /// The index of the first row.
    var offset: Int
    var part: PaneSource.Part
    /// Whether the part was the whole result.
    var isWhole = false
  }

  /// Whether a view that follows the changes shows the last rows, because some were added.
  var followsEnd = false

  /// Finds changed rows elsewhere in a table, and up to which commit it has.
  let changeReader: RowChangeReader?
  var position: RowChangeReader.Position?
  /// The rows of a sorted view that the last commit with changes has changed.
  var lastChanged: Set<Int64> = []

  /// The rows that the commits since the fetch before have changed, if the log names all of them.
  var namedRows = NamedRows()

  /// The largest number of rows that scrolling steps over from the first row of the last part.
  static let longestStep = 10_000
  /// The largest number of rows of a part that are looked for after a change, when a part has no
  /// sort keys.
  static let mostSought = 200

  init(query: WatchedQuery) {
    self.query = query
    changeReader = query.table.map(RowChangeReader.init)
  }

  /// Drops the number of rows and their order, because the filter or the sorting has changed.
  mutating func forgetOrder() {
    count = nil
    nextCount = .now()
    window = nil
    lastRowID = nil
    appended = nil
    followsEnd = false
    lastChanged = []
  }

  /// Drops the last fetched part: the next part begins at the number of its row.
  mutating func forgetPart() { window = nil }

  /// Fetches the rows that a view of the result shows in a window of `height` rows.
  ///
  /// - Parameters:
  ///   - db: The database.
  ///   - snapshot: The state of the file, if a log tells it.
  ///   - view: The view.
  ///   - height: The number of rows that are shown.
  /// - Returns: The rows, and the changes since the last fetch.
  /// - Throws: `DatabaseError` or ``ToolError``.
  mutating func fetch(
    _ db: Database,
    at snapshot: RowChangeReader.Position?,
    view: PaneView,
    height: Int
  ) throws -> PaneContents {
    namedRows = NamedRows()
    let plan = try query.plan(db)
    let source = try PaneSource(plan, view: view, db)
    var contents = try fetch(db, at: snapshot, plan, source, view: view, height: height)
    contents.order = source?.order ?? view.order
    contents.keyColumns = plan.headColumns(contents.result.columns)
    return contents
  }

  private mutating func fetch(
    _ db: Database,
    at snapshot: RowChangeReader.Position?,
    _ plan: QueryPlan,
    _ source: PaneSource?,
    view: PaneView,
    height: Int
  ) throws -> PaneContents {
    guard let source else {
      let result = try plan.fetch(db)
      return PaneContents(result: result, count: result.rows.count)
    }
    // The sort keys belong to another order if the table is another one by now.
    if let sortKey = window?.part.sortKeys.first, sortKey.count != source.sortKeyWidth {
      window = nil
    }
    if count == nil || count! <= Self.wholeLimit {
      let part = try source.fetch(db, limit: Self.wholeLimit + 1, offset: 0)
      guard part.result.rows.count > Self.wholeLimit else {
        count = part.result.rows.count
        window = Window(offset: 0, part: part, isWhole: true)
        return whole(part, source)
      }
      count = part.result.rows.count
      nextCount = .now()
    }
    return try source.hasSortKeys
      ? fetchBySortKey(db, at: snapshot, source, view: view, height: height)
      : fetchByNumber(db, source, view: view, height: height)
  }

  private mutating func whole(_ part: PaneSource.Part, _ source: PaneSource) -> PaneContents {
    var contents = PaneContents(result: part.result, count: part.result.rows.count)
    // Without row ids, the result is compared by its keys, and so it is while it is small.
    guard source.hasRowIDs else { return contents }
    lastRowID = part.sortKeys.last.flatMap { Int64.fromDatabaseValue($0[0]) } ?? .min
    contents.rowIDs = Self.rowIDs(
      of: part,
      source,
      from: nil,
      reachesStart: true,
      reachesEnd: true
    )
    return contents
  }

  /// Counts if counting has taken less than its share of the time.
  mutating func updateCount(
    _ db: Database,
    _ body: (Database) throws -> Int
  ) throws -> Int? {
    guard DispatchTime.now() >= nextCount else { return nil }
    var work = WorkTime()
    let total = try work.measure { try body(db) }
    count = total
    countingTime += work.seconds
    nextCount = .now() + work.seconds / Self.countingShare
    return total
  }
}
