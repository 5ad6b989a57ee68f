internal import CommandLineSupport
internal import Storage

// Parts of results whose rows can only be found by their numbers, such as the rows of a view.

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
      let first = max(0, view.firstRow ?? 0)
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
    count = max(count ?? 0, end)
    window = Window(offset: offset, part: part)
    return PaneContents(
      result: part.result,
      offset: offset,
      count: count ?? end,
      isCountExact: isExact,
      isWhole: false,
      changesElsewhere: .unknown
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
    var (part, read) = try source.fetchLast(db, height, limit: limit, offset: first)
    if read < min(height, first) || read == limit {
      count = try source.count(db)
      first = max(0, (count ?? 0) - height)
      (part, read) = try source.fetchLast(db, height, limit: height, offset: first)
    }
    count = first + read
    return (first + read - part.result.rows.count, part)
  }

  /// Finds out how the rows of the last part have moved, because rows before them came or went.
  ///
  /// - Parameters:
  ///   - db: The database.
  ///   - source: The result.
  ///   - part: The rows from the first row of the view on.
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
    // The row at the top of the view, or the nearest row of the last part.
    let shown = max(0, min(first - window.offset, known.rows.count - 1))
    let index = window.offset + shown
    let same = index == first ? part.result : try source.fetch(db, limit: 1, offset: index).result
    guard same.columns == known.columns else { return 0 }
    if !same.rows.isEmpty, same.key(ofRow: 0) == known.key(ofRow: shown) { return 0 }
    var former = UniqueIndices()
    for row in shown..<min(known.rows.count, shown + Self.mostSought) {
      former.add(known.keyHash(ofRow: row), at: window.offset + row)
    }
    for reach in [200, 2_000, Self.longestStep] {
      let start = max(0, index - reach)
      var current = UniqueIndices()
      var position = start
      try source.forEachRow(db, limit: 2 * reach, offset: start) { row in
        let hash = known.keyHash(of: row[...])
        if former.has(hash) { current.add(hash, at: position) }
        position += 1
      }
      if let movement = current.mostFrequentMovement(since: former) { return movement }
    }
    return 0
  }

  /// The numbers of rows by the hashes of their keys, as far as these are unique.
  private struct UniqueIndices {
    /// A number is `nil` if several rows have the hash.
    private var indices: [Int: Int?] = [:]

    mutating func add(_ hash: Int, at index: Int) {
      indices[hash] = .some(indices[hash] == nil ? index : nil)
    }

    func has(_ hash: Int) -> Bool { indices[hash] != nil }

    /// Returns by how many rows most rows have moved, the smallest such number; `nil` if no row is
    /// in both.
    func mostFrequentMovement(since former: UniqueIndices) -> Int? {
      var rows: [Int: Int] = [:]
      for case (let hash, let index?) in indices {
        if case let old?? = former.indices[hash] { rows[index - old, default: 0] += 1 }
      }
      return rows.max { ($0.value, -abs($0.key), $0.key) < ($1.value, -abs($1.key), $1.key) }?.key
    }
  }
}
