internal import Dispatch
internal import Storage

/// Fetches what a pane shows: a small result as a whole, so that all its changes are known, and of
/// a large one only what fits the window.
struct PaneFetch: Sendable {
  let query: WatchedQuery

  /// The largest number of rows that are fetched as a whole.
  static let wholeLimit = 2_000

  /// The number of rows of a large result, and when it may be counted again.
  private var count: Int?
  private var nextCount = DispatchTime.now()
  /// The seconds that counting has taken so far.
  private(set) var countingTime = 0.0
  /// The part of the time that counting may take.
  private static let countingShare = 0.01

  init(query: WatchedQuery) {
    self.query = query
  }

  /// Forgets the number of rows, because the filter has changed.
  mutating func forgetCount() {
    count = nil
    nextCount = .now()
  }

  /// Fetches what a view of the result shows in a window of `height` rows.
  ///
  /// - Throws: `DatabaseError` or ``ToolError``.
  mutating func fetch(_ db: Database, view: PaneView, height: Int) throws -> PaneContents {
    let plan = try query.plan(db)
    let source = try PaneSource(plan, view: view, db)
    guard let source else {
      let result = try plan.fetch(db)
      return PaneContents(result: result, count: result.rows.count)
    }
    if count == nil || count! <= Self.wholeLimit {
      let result = try source.fetch(db, limit: Self.wholeLimit + 1, offset: 0)
      guard result.rows.count > Self.wholeLimit else {
        count = result.rows.count
        return PaneContents(result: result, count: result.rows.count)
      }
      count = result.rows.count
      nextCount = .now()
    }
    let isExact = try updateCount(db, source)
    let total = count ?? 0
    let offset = max(0, min(view.firstRow ?? 0, total - height))
    let result = try source.fetch(db, limit: height, offset: offset)
    if result.rows.count < height { count = offset + result.rows.count }
    return PaneContents(
      result: result,
      offset: offset,
      count: max(count ?? 0, offset + result.rows.count),
      isCountExact: isExact || result.rows.count < height,
      isWhole: false
    )
  }

  /// Counts the rows if counting has taken less than its share of the time.
  private mutating func updateCount(_ db: Database, _ source: PaneSource) throws -> Bool {
    let start = DispatchTime.now()
    guard start >= nextCount else { return false }
    count = try source.count(db)
    let end = DispatchTime.now()
    let seconds = Double(end.uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
    countingTime += seconds
    nextCount = end + seconds / Self.countingShare
    return true
  }
}
