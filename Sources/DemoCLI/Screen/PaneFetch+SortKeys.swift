internal import Storage

// Parts of results that are found by the sort keys of their rows.

extension PaneFetch {
  /// A part of a view, and its position in the result.
  private struct FoundPart {
    var part: PaneSource.Part
    /// Where the part starts; `nil` if it was found by the index of its first row, or from the end.
    var start: PaneSource.Start?
    /// The index of the first row, as far as it is known.
    var offset = 0
    /// The source of ``offset``.
    var basis = PaneContents.OffsetBasis.rows
    var isStart = false
    var isEnd = false
    /// How many rows the view has from its first row on, if these do not fill the window.
    var remaining: Int?
  }

  /// Fetches a part that stays on its rows while rows before it come and go.
  mutating func fetchBySortKey(
    _ db: Database,
    at snapshot: RowChangeReader.Position?,
    _ source: PaneSource,
    view: PaneView,
    height: Int
  ) throws -> PaneContents {
    let hasNewRows = try noteAppended(db, source)
    if view.firstRow != nil || view.isAtEnd {
      followsEnd = false
    } else if hasNewRows, !followsEnd {
      // Changes in the window are shown first.
      followsEnd = try !hasChanges(db, source)
    }
    var found = try find(db, source, view: view, height: height)
    let isCountExact = try locate(&found, db, source)
    window = Window(offset: found.offset, part: found.part)
    var contents = PaneContents(
      result: found.part.result,
      offset: found.offset,
      count: count ?? 0,
      isCountExact: isCountExact,
      isWhole: false
    )
    contents.offsetBasis = found.basis
    contents.topRow = found.remaining.map { (count ?? 0) - $0 }
    try noteChanges(in: &contents, db, at: snapshot, source, found.part)
    if source.hasRowIDs {
      contents.rowIDs = Self.rowIDs(
        of: found.part,
        source,
        from: found.start?.sortKey,
        reachesStart: found.isStart,
        reachesEnd: found.isEnd
      )
    }
    return contents
  }

  /// Fetches the rows of a part.
  private func find(
    _ db: Database,
    _ source: PaneSource,
    view: PaneView,
    height: Int
  ) throws -> FoundPart {
    let isFromEnd = view.isAtEnd || followsEnd
    var found: FoundPart
    if isFromEnd {
      found = FoundPart(part: try last(db, source, height))
    } else {
      let (start, offset) = try self.start(db, source, view: view)
      // One row more than needed says whether the end is reached.
      let part =
        if let start {
          try source.fetch(db, from: start, limit: height + 1)
        } else {
          try source.fetch(db, limit: height + 1, offset: offset)
        }
      found = FoundPart(part: part, start: start, offset: offset)
    }
    let rowCount = found.part.result.rows.count
    found.isEnd = isFromEnd || rowCount <= height
    if rowCount < height, !isFromEnd, found.offset > 0 {
      found.remaining = rowCount
      found.part = try last(db, source, height)
      found.start = nil
    }
    if found.part.result.rows.count > height { found.part.removeLast() }
    found.isStart =
      found.start.map { $0.sortKey == nil } ?? (found.offset == 0 && !found.isEnd)
    return found
  }

  /// Counts the rows, if it is time for that, and finds the index of a part's first row.
  ///
  /// - Returns: Whether the count is exact.
  private mutating func locate(
    _ found: inout FoundPart,
    _ db: Database,
    _ source: PaneSource
  ) throws -> Bool {
    let rowCount = found.part.result.rows.count
    let first = found.isEnd || found.isStart ? nil : found.part.sortKeys.first
    var above: Int?
    let total = try updateCount(db) { db in
      let total = try source.count(db)
      if let first {
        above = try source.count(db, from: PaneSource.Start(sortKey: first, isBackward: true))
      }
      return total
    }
    if found.isStart { found.offset = 0 } else if let above { found.offset = above }
    if found.isEnd {
      found.basis = total == nil ? .count : .rows
    } else if !found.isStart, above == nil, found.start != nil {
      found.basis = .earlierPart
    }
    let known = max(total ?? count ?? 0, found.isEnd ? 0 : found.offset + rowCount + 1)
    if found.isEnd { found.offset = max(0, known - rowCount) }
    count = max(known, found.offset + rowCount)
    return total != nil
  }

  /// Notes the changes since the last fetch that are not in the part.
  private mutating func noteChanges(
    in contents: inout PaneContents,
    _ db: Database,
    at snapshot: RowChangeReader.Position?,
    _ source: PaneSource,
    _ part: PaneSource.Part
  ) throws {
    contents.appended = appended
    let changed = try changedRows(db, at: snapshot, source)
    contents.changesElsewhere = changed.known
    contents.hasUnnamedChanges = changed.areUnnamed
    contents.hasNamedChanges = changed.areNamed
    if source.hasRowIDs {
      contents.changedElsewhere = changed.present.subtracting(part.rowIDs)
      contents.deletedRows = changed.deleted
    } else if source.endWithRowIDs {
      contents.sorted = try sortedChanges(db, source, part, changed)
    }
  }

  private func last(_ db: Database, _ source: PaneSource, _ height: Int) throws -> PaneSource.Part {
    try source.fetch(db, from: PaneSource.Start(isBackward: true), limit: height)
  }

  /// Returns where the part of a view starts, and the index of its first row; no sort key if it
  /// must be found by the index.
  private func start(
    _ db: Database,
    _ source: PaneSource,
    view: PaneView
  ) throws -> (PaneSource.Start?, Int) {
    guard let window, let firstSortKey = window.part.sortKeys.first else {
      let first = view.firstRow ?? 0
      return first == 0 ? (PaneSource.Start(), 0) : (nil, first)
    }
    let first = view.firstRow ?? window.offset
    let step = first - window.offset
    if first <= 0 { return (PaneSource.Start(), 0) }
    guard abs(step) <= Self.longestStep else { return (nil, first) }
    var sortKey = firstSortKey
    if window.part.sortKeys.indices.contains(step) {
      sortKey = window.part.sortKeys[step]
    } else if step > 0 {
      let rows = try source.fetch(
        db,
        from: PaneSource.Start(sortKey: sortKey, includesSortKey: true),
        limit: step + 1
      )
      sortKey = rows.sortKeys.last ?? sortKey
    } else if step < 0 {
      let rows = try source.fetch(
        db,
        from: PaneSource.Start(sortKey: sortKey, isBackward: true),
        limit: -step
      )
      guard rows.sortKeys.count == -step else { return (PaneSource.Start(), 0) }
      sortKey = rows.sortKeys[0]
    }
    return (PaneSource.Start(sortKey: sortKey, includesSortKey: true), first)
  }

  /// Returns whether rows of the last part have changed.
  private func hasChanges(_ db: Database, _ source: PaneSource) throws -> Bool {
    guard let window, !window.isWhole, let sortKey = window.part.sortKeys.first else {
      return false
    }
    let start = PaneSource.Start(sortKey: sortKey, includesSortKey: true)
    let part = try source.fetch(db, from: start, limit: window.part.result.rows.count)
    return part.result.rows != window.part.result.rows
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
    let last = try source.fetch(db, from: PaneSource.Start(isBackward: true), limit: 1).sortKeys
    let newLast = last.first.flatMap { Int64.fromDatabaseValue($0[0]) } ?? .min
    guard let lastRowID else {
      self.lastRowID = newLast
      return false
    }
    defer { self.lastRowID = newLast }
    if newLast > lastRowID {
      let number = try source.count(
        db,
        from: PaneSource.Start(sortKey: [lastRowID.databaseValue])
      )
      appended = PaneContents.Appended(last: lastRowID, count: number)
      count = count.map { $0 + number }
    }
    return newLast > lastRowID
  }

  /// The rows of a view that commits have changed, and the rows that they have deleted.
  private struct ChangedRows {
    var present: Set<Int64> = []
    var deleted: Set<Int64> = []
    /// Which changes are known.
    var known = PaneContents.KnownChanges.all
    /// See ``PaneContents/hasNamedChanges`` and ``PaneContents/hasUnnamedChanges``.
    var areNamed = false
    var areUnnamed = false
  }

  /// Returns the rows of the view that the commits since the last fetch have changed or deleted.
  private mutating func changedRows(
    _ db: Database,
    at snapshot: RowChangeReader.Position?,
    _ source: PaneSource
  ) throws -> ChangedRows {
    guard source.endWithRowIDs, let changeReader else {
      position = nil
      return ChangedRows(known: .unknown)
    }
    let former = position
    position = snapshot
    guard let changes = changeReader.changedRows(db, since: former, upTo: snapshot) else {
      return ChangedRows(known: .unknown, areUnnamed: former != nil && snapshot != nil)
    }
    let isAllKnown = source.hasAllRows && source.hasRowIDs
    let present: Set<Int64>
    if isAllKnown {
      namedRows = try source.namedRows(db, among: changes.ids)
      present = changes.ids.subtracting(namedRows.absent)
    } else {
      present = try Set(source.rowIDs(db, among: changes.ids))
    }
    // It is not known whether a filter would have shown the rows that were deleted.
    let isExact = changes.areExact && source.hasAllRows
    let deleted = isExact ? changes.ids.subtracting(present) : []
    return ChangedRows(
      present: present,
      deleted: deleted,
      known: isAllKnown ? .all : .present,
      areNamed: !changes.ids.isEmpty
    )
  }

  /// Returns the changed rows of a sorted view.
  private mutating func sortedChanges(
    _ db: Database,
    _ source: PaneSource,
    _ part: PaneSource.Part,
    _ changed: ChangedRows
  ) throws -> PaneContents.SortedChanges {
    if changed.known == .unknown || !changed.present.isEmpty || !changed.deleted.isEmpty {
      lastChanged = changed.present
    }
    var changes = PaneContents.SortedChanges(rowIDs: part.rowIDs, changed: lastChanged)
    guard let first = part.sortKeys.first, let last = part.sortKeys.last else { return changes }
    let before = PaneSource.Start(sortKey: first, isBackward: true)
    changes.above = try source.count(db, among: lastChanged, from: before)
    changes.below = try source.count(db, among: lastChanged, from: PaneSource.Start(sortKey: last))
    return changes
  }

  static func rowIDs(
    of part: PaneSource.Part,
    _ source: PaneSource,
    from sortKey: [DatabaseValue]?,
    reachesStart: Bool,
    reachesEnd: Bool
  ) -> PaneContents.RowIDs {
    let ids = part.rowIDs
    let start = sortKey.flatMap { Int64.fromDatabaseValue($0[0]) } ?? ids.first ?? .min
    let lower = reachesStart ? .min : start
    return PaneContents.RowIDs(
      values: ids,
      range: lower...max(lower, reachesEnd ? .max : ids.last ?? lower),
      filter: source.filter
    )
  }
}
