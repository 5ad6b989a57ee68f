internal import Storage

/// A query on the screen: what is shown of it, and how.
struct Pane {
  let query: WatchedQuery
  /// The title in several lengths, from the longest to the shortest.
  let titles: [String]
  var view = PaneView()
  var fetch: PaneFetch
  /// The last fetched contents.
  private(set) var contents: PaneContents?
  /// The rows of ``contents``, and those that were removed since the previous contents.
  private(set) var rows: [MarkedRow] = []
  /// The index of a row that a search has found, and that is not marked yet.
  private var foundRow: Int?
  /// Whether a search is under way.
  var isSearching = false
  /// The reason why there are no newer contents.
  var problem: String?
  /// The time of the last change, as text.
  private(set) var lastChange = ""
  /// The number of lines for rows in the last drawing.
  var height = 20
  /// The number of the first row in the last drawing.
  var shownFirstRow = 0

  init(query: WatchedQuery, titles: [String]) {
    self.query = query
    self.titles = titles
    fetch = PaneFetch(query: query)
  }

  /// The number of rows, with those that were removed since the previous contents.
  var rowCount: Int {
    guard let contents else { return 0 }
    return contents.isWhole ? rows.count : contents.count
  }

  /// Shows contents. `isSameView` says whether only the database has changed since the last ones.
  mutating func show(_ new: PaneContents, isSameView: Bool, time: String) {
    problem = nil
    let old = isSameView ? contents : nil
    if contents == nil {
      lastChange = "since \(time)"
    } else if let old, old != new {
      lastChange = "last change \(time)"
    }
    defer { contents = new }
    // A commit that changes nothing here leaves the marks of the last change.
    if let old, old == new { return }
    rows = new.marked(since: old)
    let found = (foundRow ?? -1) - new.offset
    guard rows.indices.contains(found) else { return }
    foundRow = nil
    rows[found] = MarkedRow(values: rows[found].values, mark: .changed([]))
  }

  /// Changes the view, if the key is one of a pane.
  ///
  /// - Returns: Whether the rows must be fetched again; `nil` if the key has no meaning.
  mutating func handle(_ key: Key) -> Bool? {
    let last = max(0, rowCount - height)
    switch key {
    case .up, .character("k"): return scroll(to: shownFirstRow - 1, last: last)
    case .down, .character("j"): return scroll(to: shownFirstRow + 1, last: last)
    case .pageUp: return scroll(to: shownFirstRow - max(1, height - 1), last: last)
    case .pageDown, .character(" "):
      return scroll(to: shownFirstRow + max(1, height - 1), last: last)
    case .home, .character("g"): return scroll(to: 0, last: last)
    case .end, .character("G"): return scroll(to: last, last: last)
    case .left, .character("h"):
      view.firstColumn = max(0, view.firstColumn - 1)
    case .right, .character("l"):
      let count = contents?.result.columns.count ?? 0
      view.firstColumn = max(0, min(count - 1, view.firstColumn + 1))
    case .character("f"): view.firstRow = nil
    case .character("n"): return jump(forward: true)
    case .character("N"): return jump(forward: false)
    case .character("s"): return sortByNextColumn()
    case .character("r"):
      guard view.sort != nil else { return false }
      view.sort?.isDescending.toggle()
      return true
    default: return nil
    }
    return contents?.isWhole == false && key == .character("f")
  }

  private mutating func scroll(to row: Int, last: Int) -> Bool {
    let row = max(0, min(row, last))
    view.firstRow = row
    shownFirstRow = row
    return contents?.isWhole == false
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
    view.firstRow = next
    shownFirstRow = next
    return false
  }

  /// Shows a row of a large result, which is marked when it is fetched.
  mutating func jump(to row: Int) {
    view.firstRow = row
    foundRow = row
  }

  private mutating func sortByNextColumn() -> Bool {
    let count = contents?.result.columns.count ?? 0
    guard count > 0 else { return false }
    let next = view.sort.map { $0.column + 1 } ?? 0
    view.sort = next < count ? PaneView.Sort(column: next) : nil
    return true
  }

  /// Sets the text that the shown rows contain.
  mutating func filter(_ text: String) {
    view.filter = text
    view.firstRow = nil
    fetch.forgetCount()
  }
}
