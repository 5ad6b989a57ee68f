internal import Storage

/// The state of the terminal that shows a watch: its panes, and the effects of keys.
struct Screen {
  /// The effect of a key.
  enum Effect: Equatable {
    case nothing
    case draw
    /// The focused pane shows other rows of the same state, or the database is read again.
    case fetch
    /// The next change of a large result is searched for.
    case search(forward: Bool)
    case end
  }

  var panes: [Pane]
  /// The index of the pane that gets the keys.
  private(set) var focus = 0
  private(set) var isPaused = false
  private(set) var showsHelp = false
  /// The text of a filter that is being typed.
  private(set) var prompt: String?
  /// The list of tables from which a table was opened.
  private var overview: Pane?
  /// The number of the last value.
  var number: UInt64 = 0
  /// A problem that concerns all panes.
  var problem: String?

  init(panes: [Pane]) {
    self.panes = panes
  }

  /// Handles a key.
  mutating func handle(_ key: Key) -> Effect {
    if prompt != nil { return handleInPrompt(key) }
    if showsHelp {
      showsHelp = false
      return key == .character("q") ? .end : .draw
    }
    if panes[focus].detail != nil, let effect = handleInDetail(key) { return effect }
    switch key {
    case .character("q"): return .end
    case .character("?"): showsHelp = true
    case .character("p"):
      isPaused.toggle()
      return isPaused ? .draw : .fetch
    case .character("/"): prompt = panes[focus].view.filter
    case .escape:
      guard !panes[focus].view.filter.isEmpty else { return closeTable() ? .fetch : .nothing }
      panes[focus].filter("")
      return .fetch
    case .enter:
      guard panes[focus].query == .overview else {
        panes[focus].openDetail()
        break
      }
      return openSelectedTable() ? .fetch : .nothing
    case .tab: focus = (focus + 1) % panes.count
    case .backTab: focus = (focus + panes.count - 1) % panes.count
    case .character("n"), .character("N"):
      guard panes[focus].contents?.isWhole == false else { fallthrough }
      return .search(forward: key == .character("n"))
    default:
      guard let fetches = panes[focus].handle(key) else { return .nothing }
      return fetches ? .fetch : .draw
    }
    return .draw
  }

  /// Shows the selected table in place of the overview.
  private mutating func openSelectedTable() -> Bool {
    let pane = panes[focus]
    guard let name = pane.selectedName else { return false }
    overview = pane
    let table = WatchedQuery.table(name)
    let titles = pane.titles.map { title in
      title.hasSuffix(pane.query.title)
        ? title.dropLast(pane.query.title.count) + table.title : table.title
    }
    panes[focus] = Pane(query: table, titles: titles)
    return true
  }

  /// Shows the overview again.
  mutating func closeTable() -> Bool {
    guard let overview else { return false }
    panes[focus] = overview
    self.overview = nil
    return true
  }

  /// Handles a key while one row is shown; `nil` if the key means the same as in a table.
  private mutating func handleInDetail(_ key: Key) -> Effect? {
    switch key {
    case .enter, .escape, .left, .character("h"): panes[focus].detail = nil
    case .up, .character("k"): return panes[focus].moveDetail(by: -1) ? .fetch : .draw
    case .down, .character("j"): return panes[focus].moveDetail(by: 1) ? .fetch : .draw
    case .character("q"), .character("?"), .character("p"): return nil
    default: return panes[focus].detail?.scroll(key) == true ? .draw : .nothing
    }
    return .draw
  }

  private mutating func handleInPrompt(_ key: Key) -> Effect {
    switch key {
    case .character(let character): prompt?.append(character)
    case .backspace: _ = prompt?.popLast()
    case .escape: prompt = nil
    case .enter:
      let text = prompt ?? ""
      prompt = nil
      guard text != panes[focus].view.filter else { return .draw }
      panes[focus].filter(text)
      return .fetch
    default: return .nothing
    }
    return .draw
  }

  /// The keys, for people.
  static let help = [
    "Keys",
    "  arrows, page up, page down, home, end   scroll",
    "  f      follow the changes again, or the last rows of a large table",
    "  n, N   jump to the next or previous change",
    "  s, r   sort by the next column, reverse the order",
    "  enter  show one row with all its columns; arrows go to the next one",
    "  /      show the rows with a text; escape shows all",
    "  p      pause, or continue",
    "  tab    give the keys to the next pane",
    "  escape go back to the list of tables",
    "  ?, q   this help, quit",
  ]
}
