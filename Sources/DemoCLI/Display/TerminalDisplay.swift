/// Shows the last value as a table that is drawn in place.
struct TerminalDisplay: Display {
  private var terminal: Terminal
  private var picture: TablePicture
  /// The value that is shown, to compare the next one with.
  private var value: WatchedValue?
  /// When the last value came that was not equal to the one before.
  private var lastChange = ""

  /// Makes a display with these titles, from the fullest to the shortest.
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
    // Before there is anything to show, the screen belongs to others.
    guard value != nil || picture.problem != nil else { return }
    try terminal.drawAnew(lines())
  }

  mutating func release() throws {
    try terminal.release()
  }

  private func lines() -> [StyledLine] {
    TableRenderer.lines(of: picture, in: terminal.size)
  }
}
