internal import CommandLineSupport
internal import Storage

/// One row with all its columns, one below the other.
struct RowDetail: Equatable {
  fileprivate(set) var columns: [String]
  /// The key that identifies the row.
  let key: [DatabaseValue]
  var row: MarkedRow
  /// Whether the row is not in the result any more, or not in the part that was fetched.
  var isGone = false
  /// The number of lines that are scrolled out of the window. The next ``lines(title:facts:in:)``
  /// sets it to the last line that can be at the top, if it is larger.
  private(set) var firstLine = 0
  /// How many lines the window showed last.
  private var page = 1

  init(columns: [String], key: [DatabaseValue], row: MarkedRow) {
    self.columns = columns
    self.key = key
    self.row = row
  }

  /// Scrolls, if the key does that; returns whether it does.
  mutating func scroll(_ key: Key) -> Bool {
    switch key {
    case .pageUp: firstLine = max(0, firstLine - page)
    case .pageDown, .character(" "): firstLine += page
    case .home, .character("g"): firstLine = 0
    case .end, .character("G"): firstLine = .max / 2
    default: return false
    }
    return true
  }

  /// Returns the lines of the row. They fit a window.
  mutating func lines(title: String, facts: [String], in size: WindowSize) -> [StyledLine] {
    let state = isGone ? ["the row is gone"] : []
    let heading = ([title, "one row"] + state + facts.dropFirst()).joined(separator: "   ")
    var lines = [StyledLine(heading, style: .heading, limit: size.columns)]
    let all = columnLines(width: size.columns)
    let room = max(0, size.rows - 1)
    let first = max(0, min(firstLine, all.count - room))
    firstLine = first
    // The last line may be a note, and one line stays.
    page = max(1, room - 2)
    lines += all[first..<min(all.count, first + room)]
    let below = all.count - first - room
    if below > 0, lines.count > 1 {
      let text = "… \(below + 1) more \(below == 0 ? "line" : "lines")"
      lines[lines.count - 1] = StyledLine(text, style: .faint, limit: size.columns)
    }
    return lines
  }

  /// The largest number of characters that are shown of a value.
  private static let longest = 20_000

  private func columnLines(width: Int) -> [StyledLine] {
    let names = columns.map { DisplayText($0, limit: max(1, width / 3)) }
    let nameWidth = names.map(\.width).max() ?? 0
    let style = RowStyle(row.mark)
    let room = max(1, width - nameWidth - 4)
    return names.enumerated().flatMap { column, name in
      let value = row.values[column]
      let text = CellText.text(for: value, limit: CellText.isNumber(value) ? 40 : Self.longest)
      let pieces = Self.pieces(of: text.text, width: room)
      return pieces.enumerated().map { position, piece in
        var line = StyledLine()
        let hasSign = position == 0 && row.mark.concerns(column)
        line.append(DisplayText(hasSign ? style.sign : " "), style: style.signStyle)
        line.appendSpaces(1)
        let label = position == 0 ? name : DisplayText("")
        line.appendSpaces(nameWidth - label.width)
        line.append(label, style: .heading)
        line.appendSpaces(2)
        line.append(
          DisplayText(piece, limit: room),
          style: style.style(ofColumn: column, isNull: value.isNull)
        )
        return line
      }
    }
  }

  /// Cuts a text into pieces that are at most `width` columns wide.
  private static func pieces(of text: String, width: Int) -> [String] {
    var pieces = [""]
    var used = 0
    for character in text {
      let needed = DisplayWidth.of(character)
      if used + needed > width, used > 0 {
        pieces.append("")
        used = 0
      }
      pieces[pieces.count - 1].append(character)
      used += needed
    }
    return pieces
  }
}

extension RowMark {
  /// Returns whether the mark concerns the value in a column.
  fileprivate func concerns(_ column: Int) -> Bool {
    switch self {
    case .unchanged: false
    case .added, .removed: true
    case .changed(let columns): columns.contains(column)
    }
  }
}

extension Pane {
  /// Shows one row: the first change in the window, or the row at its top.
  mutating func openDetail() {
    guard let contents, !rows.isEmpty else { return }
    guard !awaitsRows else {
      awaitsDetail = true
      return
    }
    let offset = contents.isWhole ? 0 : contents.offset
    let top = max(0, min(shownFirstRow - offset, rows.count - 1))
    let window = top..<min(rows.count, top + height)
    let change = view.firstRow == nil ? window.first { rows[$0].mark != .unchanged } : nil
    showDetail(at: change ?? top, step: 1)
  }

  /// Shows the next row, or the previous one.
  ///
  /// - Returns: Whether rows must be fetched.
  mutating func moveDetail(by step: Int) -> Bool {
    guard let contents, let detail, let index = index(ofKey: detail.key) else { return false }
    let target = index + step
    if rows.indices.contains(target) {
      showDetail(at: target, step: step)
    } else if !contents.isWhole, contents.offset + target >= 0, target < 0 || !contents.isEnd {
      // The row is fetched, and shown when it is there.
      moveTop(to: contents.offset + target)
      self.detail = nil
      awaitsDetail = true
    }
    return !contents.isWhole
  }

  private mutating func showDetail(at index: Int, step: Int) {
    guard let contents else { return }
    var index = index
    while rows.indices.contains(index), rows[index].mark == .removed { index += step }
    guard rows.indices.contains(index) else { return }
    view.isAtEnd = false
    view.firstRow = (contents.isWhole ? 0 : contents.offset) + index
    detail = RowDetail(columns: contents.result.columns, key: key(ofRow: index), row: rows[index])
  }

  /// Shows the newest values of the row that is shown alone.
  mutating func updateDetail() {
    if awaitsDetail {
      awaitsDetail = false
      shownFirstRow = view.firstRow ?? 0
      return openDetail()
    }
    guard var detail, let contents else { return }
    let index = index(ofKey: detail.key)
    detail.isGone = index == nil
    if let index {
      detail.columns = contents.result.columns
      detail.row = rows[index]
    }
    self.detail = detail
  }

  private func key(ofRow index: Int) -> [DatabaseValue] {
    let resultIndex = rows[..<index].count { $0.mark != .removed }
    return contents?.result.key(ofRow: resultIndex) ?? []
  }

  private func index(ofKey key: [DatabaseValue]) -> Int? {
    guard let result = contents?.result else { return nil }
    guard var remaining = result.rows.indices.first(where: { result.key(ofRow: $0) == key })
    else { return nil }
    return rows.firstIndex { row in
      guard row.mark != .removed else { return false }
      defer { remaining -= 1 }
      return remaining == 0
    }
  }
}
