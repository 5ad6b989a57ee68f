internal import Storage

/// A query on the screen: the shown part of its result, and the view.
struct Pane {
  let query: WatchedQuery
  /// The title in several lengths, from the longest to the shortest.
  let titles: [String]
  var view = PaneView()
  var fetch: PaneFetch
  /// The last fetched contents.
  private(set) var contents: PaneContents?
  /// The rows of ``contents``, and the rows that were removed since the previous contents.
  private(set) var rows: [MarkedRow] = []
  /// A row that a search has found, and that is not marked yet.
  private var foundRow: PaneMemory.Found?
  /// Whether a search is under way.
  var isSearching = false
  /// The reason why no newer contents have come.
  var problem: String?
  /// The time of the last change, as text.
  private(set) var lastChange = ""
  /// The number of lines for rows in the last drawing.
  var height = 20
  /// The number of the row from which keys move: the first row in the last drawing, or in the next
  /// one while ``awaitsRows``.
  var shownFirstRow = 0
  /// Whether the drawn rows belong to an earlier view, until other rows are fetched.
  private(set) var awaitsRows = false
  /// The last change of a large result, as far as it was seen.
  private var changes = PaneChanges()
  /// The order in which rows were compared last; `nil` if they are not remembered.
  private var comparedOrder: PaneView.Order?
  /// The rows that the log has named, until the memory of the rows gets them.
  private var namedRows = NamedRows()
  /// Whether the database has changed since a comparison was asked for.
  var needsComparison = false
  /// Whether there are changes since then that the log does not name, or that a pause hides.
  private var hasUncomparedChanges = false
  /// The widths of the columns so far, so that they stay while values change.
  var widths: ColumnWidths?
  /// The row that is shown with all its columns, if one is.
  var detail: RowDetail?
  /// Whether the columns of the key fit the window beside other columns, so that they stay in it.
  var keysStay = false
  /// The name of the selected table, in a list of tables.
  private var selection: DatabaseValue?
  /// Whether a row is shown alone when it is fetched.
  var awaitsDetail = false
  /// Whether rows are fetched, and that takes a while.
  var isWorking = false

  init(query: WatchedQuery, titles: [String]) {
    self.query = query
    self.titles = titles
    fetch = PaneFetch(query: query)
  }

  /// The number of rows, with the rows that were removed since the previous contents.
  var rowCount: Int {
    guard let contents else { return 0 }
    return contents.isWhole ? rows.count : contents.count
  }

  /// Shows contents.
  ///
  /// - Parameters:
  ///   - new: The contents.
  ///   - isSameView: Whether only the database has changed since the last ones.
  ///   - requestedRow: The row that was to be at the top when they were fetched.
  ///   - time: The time, as text.
  mutating func show(
    _ new: PaneContents,
    isSameView: Bool,
    requestedRow: Int? = nil,
    time: String
  ) {
    problem = nil
    isWorking = false
    awaitsRows = false
    // The sorted column may have been dropped or moved.
    view.sort = new.order.sort
    if new.hasUnnamedChanges { hasUncomparedChanges = true }
    let former = contents
    let isSameOrder = former?.order == new.order
    let old = isSameView && isSameOrder ? contents : nil
    let top = topRowKey
    defer {
      contents = new
      if selection == nil { selection = rows.first?.values.first }
      updateDetail()
    }
    if !isSameOrder || former?.result.columns != new.result.columns { changes.reset() }
    if let former, new.hasRows(comparableTo: former) {
      markByRowID(new, since: former, isSameView: isSameView, time: time)
    } else if let old, old.shows(new) {
      // A commit that changes nothing here leaves the marks of the last change.
      return
    } else if let old, old.becomes(new) {
      if old.count != new.count { lastChange = "last change \(time)" }
    } else {
      mark(new, since: old, isFirst: former == nil, time: time)
    }
    changes.noteOffset(new, since: old)
    rows = changes.compared(rows, new)
    if !isSameView, former?.isWhole == true || new.isWhole { widths = nil }
    if new.isWhole, former != nil, isSameView { stay(on: top, new) }
    if !new.isWhole, let row = view.firstRow, let requestedRow, former != nil {
      // The row has another number by now.
      view.firstRow = row + ((new.topRow ?? new.offset) - requestedRow)
    }
    guard let found = foundRow, rows.indices.contains(found.index - new.offset) else { return }
    foundRow = nil
    let row = found.index - new.offset
    guard rows[row].mark == .unchanged else { return }
    rows[row] = MarkedRow(values: rows[row].values, mark: found.isNew ? .added : .changed([]))
  }

  /// Marks the changed rows, by the row ids. These find them even if the view shows other rows by
  /// now.
  private mutating func markByRowID(
    _ new: PaneContents,
    since former: PaneContents,
    isSameView: Bool,
    time: String
  ) {
    if let marked = changes.marked(new, since: former) {
      rows = marked
      lastChange = "last change \(time)"
    } else if !isSameView || new.rowIDs != former.rowIDs {
      rows = changes.marked(new)
    }
    // Else the rows were counted again: removed ones stay among them.
  }

  /// Marks the changes since contents of the same view.
  private mutating func mark(
    _ new: PaneContents,
    since old: PaneContents?,
    isFirst: Bool,
    time: String
  ) {
    if isFirst {
      lastChange = "since \(time)"
    } else if old != nil {
      lastChange = "last change \(time)"
    }
    rows = new.marked(since: old)
    if let sorted = new.sorted { rows = sorted.marked(rows) }
    if new.isWhole {
      changes.reset()
    } else if old != nil {
      changes.noteChange(new)
    }
  }

  /// The number of marked rows above and below ``rows``.
  var marksOutside: (above: Int, below: Int) {
    contents.map { changes.outside($0, rows) } ?? (0, 0)
  }

  /// Notes rows that the log has named.
  mutating func note(_ rows: NamedRows) { namedRows.merge(rows) }

  /// Returns the rows that the log has named if the memory needs them: for a comparison, for a
  /// search, or because they are many.
  mutating func takeNamedRows(isNeeded: Bool) -> NamedRows? {
    guard isNeeded || changes.awaitsComparison || namedRows.count >= 1_000, !namedRows.isEmpty
    else { return nil }
    defer { namedRows = NamedRows() }
    return namedRows
  }

  /// Returns whether rows are remembered, which need not be any more.
  mutating func forgetsRows() -> Bool {
    namedRows = NamedRows()
    defer { comparedOrder = nil }
    return comparedOrder != nil
  }

  /// Returns the request for a comparison, when the database has changed since the last comparison
  /// was asked for and no log names the changes, or the rows have another order.
  mutating func takeComparison() -> ComparisonRequest? {
    guard let contents, !contents.isWhole else { return nil }
    let isOtherOrder = comparedOrder != contents.order
    if contents.changesElsewhere == .all { needsComparison = changes.becomesBehind }
    guard needsComparison || hasUncomparedChanges || isOtherOrder else { return nil }
    (needsComparison, hasUncomparedChanges, comparedOrder) = (false, false, contents.order)
    return ComparisonRequest(
      query: query,
      order: contents.order,
      offset: contents.offset,
      topKey: contents.offsetBasis == .rows ? nil : contents.firstKey,
      moment: changes.beginComparison(),
      isUrgent: isOtherOrder,
      onlyRemembers: changes.isBehind
    )
  }

  /// Shows the findings of a comparison of all rows.
  ///
  /// - Parameters:
  ///   - comparison: The changes; `nil` if they are not known.
  ///   - request: The request for the comparison.
  ///   - isPaused: Whether the contents may be old ones.
  ///   - time: The time of the request, as text.
  mutating func show(
    _ comparison: PaneComparison?,
    for request: ComparisonRequest,
    isPaused: Bool,
    time: String
  ) {
    guard let contents, !contents.isWhole, query == request.query, contents.order == request.order
    else { return }
    let isLast = changes.note(
      comparison,
      contents,
      offset: request.offset,
      since: request.moment,
      isPaused: isPaused
    )
    if isLast { lastChange = "last change \(time)" }
    if isPaused, comparison?.isEmpty == false { hasUncomparedChanges = true }
    rows = changes.compared(rows, contents)
  }

  /// The keys of the row at the top and of those below it, unless the first row is at the top.
  private var topRowKey: ArraySlice<[DatabaseValue]>? {
    guard let contents, !view.isAtEnd, let firstRow = fetchedView.firstRow, firstRow > 0
    else { return nil }
    let index = max(0, firstRow - contents.offset)
    return contents.result.rows.indices.map { contents.result.key(ofRow: $0) }[
      min(
        index,
        contents.result.rows.count
      )...
    ]
  }

  /// The view as it is fetched. The numbers of its rows leave out removed rows that are still
  /// shown.
  var fetchedView: PaneView {
    guard contents?.isWhole == true, let firstRow = view.firstRow else { return view }
    var fetched = view
    fetched.firstRow = rows.prefix(firstRow).count { $0.mark != .removed }
    return fetched
  }

  /// Keeps a row at the top of a result that is small now, or the first one below it that is still
  /// there.
  private mutating func stay(on keys: ArraySlice<[DatabaseValue]>?, _ new: PaneContents) {
    guard let keys else { return }
    let indexes = Dictionary(
      new.result.rows.indices.map { (new.result.key(ofRow: $0), $0) },
      uniquingKeysWith: { first, _ in first }
    )
    guard let index = keys.lazy.compactMap({ indexes[$0] }).first else { return }
    var remaining = index
    let row = rows.firstIndex { row in
      guard row.mark != .removed else { return false }
      defer { remaining -= 1 }
      return remaining == 0
    }
    view.firstRow = row ?? index
  }

  /// The index of the selected row, if this is a list of tables.
  var selectedRow: Int? {
    guard query == .overview, !rows.isEmpty else { return nil }
    return rows.firstIndex { $0.values.first == selection } ?? 0
  }

  /// The name of the selected table.
  var selectedName: String? {
    selectedRow.flatMap { String.fromDatabaseValue(rows[$0].values[0]) }
  }

  /// Selects another table.
  private mutating func select(_ key: Key) -> Bool {
    guard let selected = selectedRow else { return false }
    let page = max(1, height - 1)
    let target: Int
    switch key {
    case .up, .character("k"): target = selected - 1
    case .down, .character("j"): target = selected + 1
    case .pageUp: target = selected - page
    case .pageDown, .character(" "): target = selected + page
    case .home, .character("g"): target = 0
    case .end, .character("G"): target = rows.count - 1
    default: return false
    }
    let row = max(0, min(target, rows.count - 1))
    selection = rows[row].values.first
    if row < shownFirstRow { view.firstRow = row }
    if row >= shownFirstRow + height { view.firstRow = row - height + 1 }
    return true
  }

  /// Changes the view, if the key belongs to a pane.
  ///
  /// - Returns: Whether the rows must be fetched again; `nil` if the key has no meaning.
  mutating func handle(_ key: Key) -> Bool? {
    if query == .overview, select(key) { return false }
    let last = max(0, rowCount - height)
    let wasWhole = contents?.isWhole != false
    switch key {
    case .up, .character("k"): return scroll(to: shownFirstRow - 1, last: last)
    case .down, .character("j"): return scroll(to: shownFirstRow + 1, last: last)
    case .pageUp: return scroll(to: shownFirstRow - max(1, height - 1), last: last)
    case .pageDown, .character(" "):
      return scroll(to: shownFirstRow + max(1, height - 1), last: last)
    case .home, .character("g"): return scroll(to: 0, last: last)
    case .end, .character("G"):
      view.isAtEnd = true
      moveTop(to: last)
      return !wasWhole
    case .left, .character("h"): scrollColumns(by: -1)
    case .right, .character("l"): scrollColumns(by: 1)
    case .character("f"):
      view.firstRow = nil
      // In a large result, only new rows at the end can be followed.
      view.isAtEnd = !wasWhole && !rows.contains { $0.mark != .unchanged }
      return !wasWhole
    case .character("n"): return jump(forward: true)
    case .character("N"): return jump(forward: false)
    case .character("s"): return sortByNextColumn()
    case .character("r"):
      guard view.sort != nil else { return false }
      view.sort?.isDescending.toggle()
      fetch.forgetOrder()
      return true
    default: return nil
    }
    return false
  }

  /// Scrolls to the next column, or the previous one. A step over columns that stay in the window
  /// would show the same.
  private mutating func scrollColumns(by step: Int) {
    let count = contents?.result.columns.count ?? 0
    let staying = Set(keysStay ? contents?.keyColumns ?? [] : [])
    var first = view.firstColumn + step
    if step > 0 {
      while first < count - 1, staying.contains(first - 1) { first += 1 }
    } else {
      while first > 0, staying.contains(first) || (0..<first).allSatisfy(staying.contains) {
        first -= 1
      }
    }
    view.firstColumn = max(0, min(count - 1, first))
  }

  private mutating func scroll(to row: Int, last: Int) -> Bool {
    let isLarge = contents?.isWhole == false
    // The number of rows is not known at each moment: the fetch finds the end.
    let isEndKnown = !isLarge || contents?.isCountExact == true
    let isEnd = row >= last && last > 0 && row > shownFirstRow && isEndKnown
    let row = max(0, isEndKnown ? min(row, last) : row)
    view.isAtEnd = isEnd
    moveTop(to: row)
    return isLarge
  }

  /// Moves a row to the top. A row of a large result is drawn there when it is fetched.
  mutating func moveTop(to row: Int) {
    view.firstRow = row
    shownFirstRow = row
    awaitsRows = contents?.isWhole == false
  }

  /// Moves the next changed row after the top row, or before it, to the top; around the end.
  private mutating func jump(forward: Bool) -> Bool {
    guard contents?.isWhole == true else { return false }
    let marked = rows.indices.filter { rows[$0].mark != .unchanged }
    let top = view.firstRow ?? shownFirstRow
    let next =
      forward
      ? marked.first { $0 > top } ?? marked.first
      : marked.last { $0 < top } ?? marked.last
    guard let next else { return false }
    view.isAtEnd = false
    moveTop(to: next)
    return false
  }

  /// Shows a row of a large result, which is marked when it is fetched.
  mutating func jump(to row: PaneMemory.Found) {
    view.isAtEnd = false
    // The search may have read a later state of the database than the last fetch.
    fetch.forgetPart()
    moveTop(to: row.index)
    foundRow = row
  }

  private mutating func sortByNextColumn() -> Bool {
    guard let columns = contents?.result.columns, !columns.isEmpty else { return false }
    let next = view.sort.map { $0.column + 1 } ?? 0
    view.sort = next < columns.count ? PaneView.Sort(column: next, name: columns[next]) : nil
    fetch.forgetOrder()
    return true
  }

  /// Sets the text that the shown rows contain.
  mutating func filter(_ text: String) {
    view.filter = text
    view.firstRow = nil
    view.isAtEnd = false
    fetch.forgetOrder()
  }
}
