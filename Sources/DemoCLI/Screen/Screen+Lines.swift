extension Screen {
  /// Returns the lines of the screen. They leave one row of the window for the cursor.
  mutating func lines(in size: WindowSize) -> [StyledLine] {
    let height = max(1, size.rows - 1)
    if showsHelp {
      return Self.help.prefix(height).enumerated().map { index, text in
        StyledLine(text, style: index == 0 ? .heading : .plain, limit: size.columns)
      }
    }
    var footer: [StyledLine] = []
    if let problem {
      footer.append(StyledLine("! \(problem)", style: .problem, limit: size.columns))
    }
    if let prompt {
      footer.append(StyledLine("/\(prompt)_", style: .heading, limit: size.columns))
    }
    let room = max(1, height - footer.count)
    var lines: [StyledLine] = []
    if var detail = panes[focus].detail {
      lines = detail.lines(
        title: panes[focus].titles.last ?? "",
        facts: panes[focus].contents.map { facts(of: panes[focus], $0) } ?? [],
        in: WindowSize(columns: size.columns, rows: room)
      )
      panes[focus].detail = detail
      return Array(lines.prefix(height - min(height, footer.count))) + footer.prefix(height)
    }
    for (index, share) in shares(of: room).enumerated() where share > 0 {
      let picture = picture(ofPane: index, height: share)
      let window = WindowSize(columns: size.columns, rows: share + 1)
      panes[index].keysStay = TableRenderer.fixes(picture, in: window)
      lines += TableRenderer.lines(of: picture, in: window)
    }
    return Array(lines.prefix(height - min(height, footer.count))) + footer.prefix(height)
  }

  /// Divides the lines among the panes: each pane gets the lines that it needs, or an equal part of
  /// the rest.
  private func shares(of height: Int) -> [Int] {
    let needs = panes.map { 2 + max(1, $0.rowCount) + ($0.problem == nil ? 0 : 1) }
    guard panes.count > 1 else { return [height] }
    var shares = needs.map { _ in 0 }
    var room = height
    let order = needs.indices.sorted { needs[$0] < needs[$1] }
    for (position, index) in order.enumerated() {
      shares[index] = min(needs[index], room / (order.count - position))
      room -= shares[index]
    }
    return shares
  }

  /// Returns the picture of a pane. The pane then knows which rows it shows.
  private mutating func picture(ofPane index: Int, height: Int) -> TablePicture {
    let pane = panes[index]
    var picture = TablePicture(titles: pane.titles)
    if panes.count > 1 {
      picture.titles = picture.titles.map { (index == focus ? "> " : "  ") + $0 }
    }
    picture.problem = pane.problem
    guard let contents = pane.contents else {
      if pane.isWorking { picture.facts = ["working"] }
      return picture
    }
    picture.facts = facts(of: pane, contents)
    picture.columns = contents.result.columns
    picture.rows = pane.rows
    picture.firstColumn = pane.view.firstColumn
    picture.selectedRow = pane.selectedRow
    picture.fixedColumns = contents.keyColumns
    picture.sort = pane.view.sort
    if contents.isWhole {
      picture.firstRow = pane.view.isAtEnd ? pane.rows.count : pane.view.firstRow
    } else {
      let isAtEnd = pane.view.isAtEnd || pane.view.firstRow == nil && contents.isEnd
      picture.firstRow =
        isAtEnd ? pane.rows.count : max(0, (pane.view.firstRow ?? 0) - contents.offset)
      picture.rowsAbove = contents.offset
      picture.rowsBelow = max(0, contents.count - contents.offset - contents.result.rows.count)
      (picture.marksAbove, picture.marksBelow) = pane.marksOutside
    }
    // The heading, the names of the columns, and the notes about hidden rows.
    let lines = max(1, height - 2 - (pane.problem == nil ? 0 : 1))
    panes[index].height = max(1, lines - 1)
    let widths = TableRenderer.widths(of: picture, lines: lines)
    if panes[index].widths?.columns == picture.columns {
      panes[index].widths?.fit(widths)
    } else {
      panes[index].widths = widths
    }
    picture.widths = panes[index].widths
    if !pane.awaitsRows {
      panes[index].shownFirstRow =
        contents.offset + TableRenderer.firstRow(of: picture, lines: lines)
    }
    return picture
  }

  private func facts(of pane: Pane, _ contents: PaneContents) -> [String] {
    let about = contents.isCountExact ? "" : "about "
    var facts = [
      "\(about)\(contents.count) \(contents.count == 1 ? "row" : "rows")", pane.lastChange,
      "value \(number)",
    ]
    if !contents.isWhole, pane.query != .overview {
      if pane.view.isAtEnd {
        facts.insert("follows the end", at: 0)
      } else if pane.view.firstRow == nil {
        facts.insert("follows the changes", at: 0)
      }
    }
    if pane.isSearching { facts.insert("searching", at: 0) }
    if pane.isWorking { facts.insert("working", at: 0) }
    if isPaused { facts.insert("paused", at: 0) }
    if !pane.view.filter.isEmpty { facts.insert("with '\(pane.view.filter)'", at: 0) }
    return facts
  }
}
