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
  private(set) var nextCount = DispatchTime.now()
  /// The seconds that counting has taken so far.
  private(set) var countingTime = 0.0
  /// The part of the time that counting may take.
  private static let countingShare = 0.01

  /// The part of a large result that was fetched last.
  private var window: Window?
  /// The last row id of the result, and the rows that were added after it.
  private var lastRowID: Int64?
  private var appended: PaneContents.Appended?

  private struct Window {
    /// The place of the first row, and its index.
    var place: [DatabaseValue]
    var offset: Int
    var rows: WatchedRows
  }

  /// Whether a view that follows the changes shows the last rows, because some were added.
  private var followsEnd = false

  /// Finds changed rows elsewhere in a table, and up to which commit it has.
  private let changeReader: RowChangeReader?
  private var position: RowChangeReader.Position?

  /// The largest number of rows that scrolling steps over from the place of the last part.
  private static let longestStep = 10_000
  /// The largest number of new rows at the end that are counted.
  private static let mostAppended = 100_000

  init(query: WatchedQuery) {
    self.query = query
    changeReader = query.table.map(RowChangeReader.init)
  }

  /// Forgets the number of rows and their order, because the filter or the sorting has changed.
  mutating func forgetOrder() {
    count = nil
    nextCount = .now()
    window = nil
    lastRowID = nil
    appended = nil
    followsEnd = false
  }

  /// Fetches what a view of the result shows in a window of `height` rows.
  ///
  /// - Throws: `DatabaseError` or ``ToolError``.
  mutating func fetch(_ db: Database, view: PaneView, height: Int) throws -> PaneContents {
    let plan = try query.plan(db)
    var contents = try fetch(db, plan, view: view, height: height)
    contents.keyColumns = plan.headColumns(contents.result.columns)
    return contents
  }

  private mutating func fetch(
    _ db: Database,
    _ plan: QueryPlan,
    view: PaneView,
    height: Int
  ) throws -> PaneContents {
    let source = try PaneSource(plan, view: view, db)
    guard let source else {
      let result = try plan.fetch(db)
      return PaneContents(result: result, count: result.rows.count)
    }
    if count == nil || count! <= Self.wholeLimit {
      let part = try source.fetch(db, limit: Self.wholeLimit + 1, offset: 0)
      guard part.result.rows.count > Self.wholeLimit else {
        count = part.result.rows.count
        window = nil
        return whole(part, source)
      }
      count = part.result.rows.count
      nextCount = .now()
    }
    return try source.hasPlaces
      ? fetchByPlace(db, source, view: view, height: height)
      : fetchByNumber(db, source, view: view, height: height)
  }

  private mutating func whole(_ part: PaneSource.Part, _ source: PaneSource) -> PaneContents {
    var contents = PaneContents(result: part.result, count: part.result.rows.count)
    // Without row ids, the result is compared by its keys, and so it is while it is small.
    guard source.hasRowIDs else { return contents }
    lastRowID = part.places.last.flatMap { Int64.fromDatabaseValue($0[0]) } ?? .min
    contents.rowIDs = Self.rowIDs(
      of: part,
      source,
      from: nil,
      reachesStart: true,
      reachesEnd: true
    )
    return contents
  }

  /// Fetches a part whose rows can only be found by their number.
  private mutating func fetchByNumber(
    _ db: Database,
    _ source: PaneSource,
    view: PaneView,
    height: Int
  ) throws -> PaneContents {
    let isExact = try updateCount(db) { try source.count($0) } != nil
    let total = count ?? 0
    let first = view.isAtEnd ? total : view.firstRow ?? 0
    let offset = max(0, min(first, total - height))
    let result = try source.fetch(db, limit: height, offset: offset).result
    if result.rows.count < height { count = offset + result.rows.count }
    return PaneContents(
      result: result,
      offset: offset,
      count: max(count ?? 0, offset + result.rows.count),
      isCountExact: isExact || result.rows.count < height,
      isWhole: false
    )
  }

  /// Counts if counting has taken less than its share of the time.
  private mutating func updateCount(
    _ db: Database,
    _ body: (Database) throws -> Int
  ) throws -> Int? {
    let start = DispatchTime.now()
    guard start >= nextCount else { return nil }
    let total = try body(db)
    count = total
    let end = DispatchTime.now()
    let seconds = Double(end.uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
    countingTime += seconds
    nextCount = end + seconds / Self.countingShare
    return total
  }
}

// MARK: - By the places of rows

extension PaneFetch {
  /// Fetches a part that stays on its rows while rows before it come and go.
  private mutating func fetchByPlace(
    _ db: Database,
    _ source: PaneSource,
    view: PaneView,
    height: Int
  ) throws -> PaneContents {
    let hasNewRows = try noteAppended(db, source)
    if view.firstRow != nil || view.isAtEnd {
      followsEnd = false
    } else if hasNewRows, !followsEnd {
      // What changes in the window is seen first.
      followsEnd = try !hasChanges(db, source)
    }
    var part: PaneSource.Part
    var start: PaneSource.Start?
    // The index of the first row, as far as it follows from the last part.
    var offset = 0
    if view.isAtEnd || followsEnd {
      part = try last(db, source, height)
    } else {
      (start, offset) = try self.start(db, source, view: view)
      // One row more than needed says whether the end is reached.
      if let start {
        part = try source.fetch(db, from: start, limit: height + 1)
      } else {
        part = try source.fetch(db, limit: height + 1, offset: offset)
      }
    }
    let isEnd = view.isAtEnd || followsEnd || part.result.rows.count <= height
    var missing: Int?
    if part.result.rows.count < height, !view.isAtEnd, !followsEnd, offset > 0 {
      missing = part.result.rows.count
      part = try last(db, source, height)
      start = nil
    }
    if part.result.rows.count > height { part.removeLast() }
    let rowCount = part.result.rows.count
    let isStart = start.map { $0.place == nil } ?? (offset == 0 && !isEnd)
    var above: Int?
    let total = try updateCount(db) { db in
      let total = try source.count(db)
      if !isEnd, !isStart, let place = part.places.first {
        let before = PaneSource.Start(place: place, isBackward: true)
        above = try source.count(db, from: before)
      }
      return total
    }
    if isStart { offset = 0 } else if let above { offset = above }
    let known = max(total ?? count ?? 0, isEnd ? 0 : offset + rowCount + 1)
    if isEnd { offset = max(0, known - rowCount) }
    count = max(known, offset + rowCount)
    window = part.places.first.map {
      Window(place: $0, offset: offset, rows: part.result.rows)
    }
    var contents = PaneContents(
      result: part.result,
      offset: offset,
      count: count ?? 0,
      isCountExact: total != nil,
      isWhole: false
    )
    contents.appended = appended
    contents.changedElsewhere = try changedRows(db, source).subtracting(
      source.hasRowIDs ? part.rowIDs : []
    )
    contents.topRow = missing.map { (count ?? 0) - $0 }
    if source.hasRowIDs {
      contents.rowIDs = Self.rowIDs(
        of: part,
        source,
        from: start?.place,
        reachesStart: isStart,
        reachesEnd: isEnd
      )
    }
    return contents
  }

  private func last(_ db: Database, _ source: PaneSource, _ height: Int) throws -> PaneSource.Part {
    try source.fetch(db, from: PaneSource.Start(isBackward: true), limit: height)
  }

  /// Returns where the part of a view starts, and the index of its first row; no place if it must
  /// be found by the index.
  private func start(
    _ db: Database,
    _ source: PaneSource,
    view: PaneView
  ) throws -> (PaneSource.Start?, Int) {
    guard let window else {
      let first = view.firstRow ?? 0
      return first == 0 ? (PaneSource.Start(), 0) : (nil, first)
    }
    let first = view.firstRow ?? window.offset
    let step = first - window.offset
    if first <= 0 { return (PaneSource.Start(), 0) }
    guard abs(step) <= Self.longestStep else { return (nil, first) }
    var place = window.place
    if step > 0 {
      let rows = try source.fetch(
        db,
        from: PaneSource.Start(place: place, includesPlace: true),
        limit: step + 1
      )
      place = rows.places.last ?? place
    } else if step < 0 {
      let rows = try source.fetch(
        db,
        from: PaneSource.Start(place: place, isBackward: true),
        limit: -step
      )
      guard rows.places.count == -step else { return (PaneSource.Start(), 0) }
      place = rows.places[0]
    }
    return (PaneSource.Start(place: place, includesPlace: true), first)
  }

  /// Returns whether rows of the last part have changed.
  private func hasChanges(_ db: Database, _ source: PaneSource) throws -> Bool {
    guard let window else { return false }
    let start = PaneSource.Start(place: window.place, includesPlace: true)
    let part = try source.fetch(db, from: start, limit: window.rows.count)
    return part.result.rows != window.rows
  }

  /// Notices rows after the last row id that was seen.
  ///
  /// - Returns: Whether there are some.
  private mutating func noteAppended(_ db: Database, _ source: PaneSource) throws -> Bool {
    guard source.hasRowIDs else {
      appended = nil
      lastRowID = nil
      return false
    }
    let last = try source.fetch(db, from: PaneSource.Start(isBackward: true), limit: 1).places
    let newLast = last.first.flatMap { Int64.fromDatabaseValue($0[0]) } ?? .min
    guard let lastRowID else {
      self.lastRowID = newLast
      return false
    }
    defer { self.lastRowID = newLast }
    if newLast > lastRowID {
      let number = try source.count(
        db,
        from: PaneSource.Start(place: [lastRowID.databaseValue]),
        limit: Self.mostAppended
      )
      appended = PaneContents.Appended(last: lastRowID, count: number)
      count = count.map { $0 + number }
    }
    return newLast > lastRowID
  }

  /// Returns the ids of the rows of the view that have changed since the last fetch, as far as they
  /// are known.
  private mutating func changedRows(_ db: Database, _ source: PaneSource) throws -> Set<Int64> {
    guard source.hasRowIDs, let changeReader else {
      position = nil
      return []
    }
    let (ids, position) = changeReader.changedRows(db, since: position)
    self.position = position
    // Those that were deleted, or that the filter rejects, are not there.
    return try Set(source.rowIDs(db, among: ids ?? []))
  }

  private static func rowIDs(
    of part: PaneSource.Part,
    _ source: PaneSource,
    from place: [DatabaseValue]?,
    reachesStart: Bool,
    reachesEnd: Bool
  ) -> PaneContents.RowIDs {
    let ids = part.rowIDs
    let start = place.flatMap { Int64.fromDatabaseValue($0[0]) } ?? ids.first ?? .min
    let lower = reachesStart ? .min : start
    return PaneContents.RowIDs(
      values: ids,
      range: lower...max(lower, reachesEnd ? .max : ids.last ?? lower),
      filter: source.filter
    )
  }
}

extension PaneSource.Part {
  /// The row ids, if they are the places.
  fileprivate var rowIDs: [Int64] { places.compactMap { Int64.fromDatabaseValue($0[0]) } }

  fileprivate mutating func removeLast() {
    result.removeLast()
    places.removeLast()
  }
}
