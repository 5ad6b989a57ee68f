internal import Storage

// Parts of results whose rows can only be found by their numbers, such as those of a view.

extension PaneFetch {
  /// Fetches a part whose rows can only be found by their number.
  mutating func fetchByNumber(
    _ db: Database,
    _ source: PaneSource,
    view: PaneView,
    height: Int
  ) throws -> PaneContents {
    var isExact = try updateCount(db) { try source.count($0) } != nil
    var part: PaneSource.Part
    var offset: Int
    if view.isAtEnd {
      (offset, part) = try lastByNumber(db, source, height: height)
      isExact = true
    } else {
      let first = max(0, min(view.firstRow ?? 0, (count ?? 0) - height))
      part = try source.fetch(db, limit: height, offset: first)
      offset = try first == 0 ? 0 : max(0, first + movement(db, source, since: part, at: first))
      if offset != first { part = try source.fetch(db, limit: height, offset: offset) }
    }
    if part.result.rows.count < height, offset > 0 {
      (offset, part) = try lastByNumber(db, source, height: height)
      isExact = true
    }
    let end = offset + part.result.rows.count
    if part.result.rows.count < height { (count, isExact) = (end, true) }
    window = Window(offset: offset, part: part)
    return PaneContents(
      result: part.result,
      offset: offset,
      count: max(count ?? 0, end),
      isCountExact: isExact,
      isWhole: false
    )
  }

  /// Returns the last rows, and the index of the first of them. Rows that were added since the last
  /// count are read, too.
  private mutating func lastByNumber(
    _ db: Database,
    _ source: PaneSource,
    height: Int
  ) throws -> (offset: Int, PaneSource.Part) {
    let limit = height + Self.longestStep
    var first = max(0, (count ?? 0) - height)
    var part = try source.fetch(db, limit: limit, offset: first)
    if part.result.rows.count < min(height, first) || part.result.rows.count == limit {
      count = try source.count(db)
      first = max(0, (count ?? 0) - height)
      part = try source.fetch(db, limit: height, offset: first)
    }
    count = first + part.result.rows.count
    let surplus = max(0, part.result.rows.count - height)
    part.removeFirst(surplus)
    return (first + surplus, part)
  }

  /// Finds out how the rows of the last part have moved, because rows before them came or went.
  ///
  /// - Parameters:
  ///   - db: The database.
  ///   - source: The result.
  ///   - part: The rows that are at the place of the view.
  ///   - first: The index of the first of them.
  /// - Returns: By how many rows they have moved; 0 if none of them is found.
  /// - Throws: `DatabaseError` or ``ToolError``.
  private func movement(
    _ db: Database,
    _ source: PaneSource,
    since part: PaneSource.Part,
    at first: Int
  ) throws -> Int {
    guard let window, !window.part.result.rows.isEmpty else { return 0 }
    let known = window.part.result
    // The row at the top of the view, or that of the last part which is nearest to it.
    let shown = max(0, min(first - window.offset, known.rows.count - 1))
    let index = window.offset + shown
    let current =
      index == first ? part.result : try source.fetch(db, limit: 1, offset: index).result
    guard current.columns == known.columns else { return 0 }
    if !current.rows.isEmpty, current.key(ofRow: 0) == known.key(ofRow: shown) { return 0 }
    let start = max(0, index - Self.longestStep)
    let limit = 2 * Self.longestStep
    let around = try source.fetch(db, limit: limit, offset: start).result
    var places: [[DatabaseValue]: Int] = [:]
    for row in around.rows.indices {
      let key = around.key(ofRow: row)
      let distance = { abs(start + $0 - index) }
      if let other = places[key], distance(other) <= distance(row) { continue }
      places[key] = row
    }
    for row in shown..<min(known.rows.count, shown + Self.mostSought) {
      if let place = places[known.key(ofRow: row)] {
        return start + place - (window.offset + row)
      }
    }
    return 0
  }
}
