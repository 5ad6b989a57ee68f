/// A display that draws the last value as a table in place.
struct TerminalDisplay: Display {
  private var terminal: Terminal
  private var picture: TablePicture
  /// The shown value, with which the next one is compared.
  private var value: WatchedValue?
  /// The time of the last value that differed from the previous one, as text.
  private var lastChange = ""

  /// Creates a display with one title in several lengths, from the longest to the shortest.
  init(titles: [String], terminal: Terminal = Terminal()) {
    self.terminal = terminal
    picture = TablePicture(titles: titles)
  }

  mutating func show(_ newValue: WatchedValue) throws {
    let result = newValue.result
    if value == nil {
      lastChange = "since \(ClockTime.now())"
    } else if result != value?.result {
      lastChange = "last change \(ClockTime.now())"
    }
    picture.facts = [
      "\(result.rows.count) \(result.rows.count == 1 ? "row" : "rows")",
      lastChange,
      "value \(newValue.number)",
    ]
    picture.columns = result.columns
    picture.rows = RowDiff.mark(result, since: value?.result)
    picture.problem = nil
    value = newValue
    try terminal.draw(lines())
  }

  mutating func show(problem: String) throws {
    picture.problem = "\(ClockTime.now()) \(problem)"
    try terminal.draw(lines())
  }

  mutating func redraw() throws {
    // Before the first drawing, leave the screen unchanged.
    guard value != nil || picture.problem != nil else { return }
    try terminal.clearAndDraw(lines())
  }

  mutating func release() throws {
    try terminal.release()
  }

  private func lines() -> [StyledLine] {
    TableRenderer.lines(of: picture, in: terminal.size)
  }
}
