internal import CommandLineSupport
internal import Storage

/// Lays out a picture as lines that fit a window.
struct TableRenderer {
  private let picture: TablePicture
  private let size: WindowSize

  /// Returns the lines of a picture. They leave one row of the window for the cursor, and none is
  /// wider than the window.
  static func lines(of picture: TablePicture, in size: WindowSize) -> [StyledLine] {
    TableRenderer(picture: picture, size: size).lines()
  }

  private func lines() -> [StyledLine] {
    let height = max(1, size.rows - 1)
    let problem = picture.problem.map {
      StyledLine("! \($0)", style: .problem, limit: size.columns)
    }
    var lines = [heading()]
    let room = height - lines.count - (problem == nil ? 0 : 1)
    if !picture.columns.isEmpty { lines += table(height: max(0, room)) }
    if let problem {
      // In a window of one line, the problem is more important than the heading.
      lines = lines.prefix(height - 1) + [problem]
    }
    return lines
  }

  /// Returns a line with a title and the facts.
  ///
  /// If even the shortest title does not fit beside the facts, it takes at most half of the line.
  private func heading() -> StyledLine {
    let facts = picture.facts.map { "   " + $0 }.joined()
    let roomBesideFacts = size.columns - DisplayText(facts).width
    let titles = picture.titles.map { DisplayText($0) }
    var line = StyledLine()
    if let title = titles.first(where: { $0.width <= roomBesideFacts }) {
      line.append(title, style: .heading)
    } else {
      let room = max(roomBesideFacts, size.columns / 2)
      line = StyledLine(picture.titles.last ?? "", style: .heading, limit: room)
    }
    line.append(DisplayText(facts, limit: size.columns - line.width), style: .plain)
    return line
  }

  // MARK: - The table

  /// The width of the sign before a row and the space after it.
  private static let margin = 2

  private func table(height: Int) -> [StyledLine] {
    guard height > 0 else { return [] }
    let rows = picture.rows
    let viewport = Self.viewport(of: picture, lines: height - 1)
    let shown = rows[viewport.rows]
    let limit = max(1, size.columns - Self.margin)
    let shownColumns = columns
    let names = shownColumns.map { DisplayText(name(ofColumn: $0), limit: limit) }
    var widths = self.widths(shown)
    if let others = picture.widths { widths.fit(others) }
    let layout = ColumnLayout(
      natural: shownColumns.indices.map { position in
        min(limit, max(names[position].width, widths.natural[shownColumns[position]]))
      },
      least: shownColumns.map { widths.least[$0] },
      available: limit
    )
    var lines = [columnHeading(names: names, rows: shown, layout: layout)]
    if viewport.hasRowsAbove {
      lines.append(
        note(
          rows[..<viewport.rows.lowerBound],
          (picture.rowsAbove, picture.marksAbove),
          place: "above"
        )
      )
    }
    for (index, row) in zip(shown.indices, shown) {
      lines.append(line(for: row, layout: layout, isSelected: index == picture.selectedRow))
    }
    if viewport.hasRowsBelow, lines.count < height {
      lines.append(
        note(
          rows[viewport.rows.upperBound...],
          (picture.rowsBelow, picture.marksBelow)
        )
      )
    }
    if rows.isEmpty, lines.count < height {
      lines.append(StyledLine("  no rows", style: .faint, limit: size.columns))
    }
    return lines
  }

  /// Returns the widths that the shown rows of a picture need.
  static func widths(of picture: TablePicture, lines: Int) -> ColumnWidths {
    let renderer = TableRenderer(picture: picture, size: WindowSize(columns: 0, rows: 0))
    return renderer.widths(picture.rows[viewport(of: picture, lines: lines).rows])
  }

  /// The width at which a cell is no longer measured.
  private static let widest = 1_000

  private func widths(_ rows: ArraySlice<MarkedRow>) -> ColumnWidths {
    var widths = ColumnWidths(columns: picture.columns)
    for row in rows {
      for (column, value) in row.values.enumerated() {
        let text = CellText.text(for: value, limit: Self.widest)
        widths.fit(text.width, inColumn: column, isNumber: CellText.isNumber(value))
      }
    }
    return widths
  }

  /// The indexes of the columns from the left of the window on: the fixed columns, and the columns
  /// that scrolling has not moved out of the window.
  private var columns: [Int] {
    let first = min(picture.firstColumn, max(0, picture.columns.count - 1))
    let fixed = picture.fixedColumns.filter { $0 < first }
    return (Self.fixes(picture, in: size) ? fixed : []) + Array(first..<picture.columns.count)
  }

  /// Returns whether the fixed columns of a picture stay in a window. A window full of them could
  /// not be scrolled.
  static func fixes(_ picture: TablePicture, in size: WindowSize) -> Bool {
    let widths = picture.fixedColumns.map { column in
      picture.widths.map { $0.natural[column] } ?? DisplayText(picture.columns[column]).width
    }
    return widths.reduce(0, +) + ColumnLayout.gap * widths.count <= size.columns / 2
  }

  /// Returns the name of a column, with a sign for the order of the rows.
  private func name(ofColumn column: Int) -> String {
    let name = picture.columns[column]
    guard let sort = picture.sort, sort.column == column else { return name }
    return name + (sort.isDescending ? " ▼" : " ▲")
  }

  /// Returns the index of the first row that a picture shows in a number of lines.
  static func firstRow(of picture: TablePicture, lines: Int) -> Int {
    viewport(of: picture, lines: lines).rows.lowerBound
  }

  private static func viewport(of picture: TablePicture, lines: Int) -> Viewport {
    guard let firstRow = picture.firstRow else {
      let firstMark = picture.rows.firstIndex { $0.mark != .unchanged }
      return Viewport(rowCount: picture.rows.count, firstMark: firstMark, height: lines)
    }
    return Viewport(
      from: firstRow,
      rowCount: picture.rows.count,
      above: picture.rowsAbove,
      below: picture.rowsBelow,
      height: lines
    )
  }

  private func columnHeading(
    names: [DisplayText],
    rows: ArraySlice<MarkedRow>,
    layout: ColumnLayout
  ) -> StyledLine {
    var line = StyledLine()
    let columns = columns
    line.appendSpaces(Self.margin)
    for (position, width) in layout.widths.enumerated() {
      if position > 0 { line.appendSpaces(ColumnLayout.gap) }
      let name = DisplayText(names[position].text, limit: width)
      let column = columns[position]
      let values = rows.lazy.map { $0.values[column] }.filter { !$0.isNull }
      let isNumeric = !values.isEmpty && values.allSatisfy(CellText.isNumber)
      append(name, width: width, atRight: isNumeric, style: .heading, to: &line)
    }
    let room = size.columns - line.width - ColumnLayout.gap
    if layout.hiddenCount > 0, room > 0 {
      line.appendSpaces(ColumnLayout.gap)
      line.append(DisplayText(layout.hiddenNote, limit: room), style: .faint)
    }
    return line
  }

  private func line(for row: MarkedRow, layout: ColumnLayout, isSelected: Bool) -> StyledLine {
    var line = StyledLine()
    let columns = columns
    let rowStyle = RowStyle(row.mark)
    line.append(DisplayText(rowStyle.sign), style: rowStyle.signStyle)
    // Seen without colours, too.
    line.append(DisplayText(isSelected ? ">" : " "), style: isSelected ? .heading : .plain)
    for (position, width) in layout.widths.enumerated() {
      if position > 0 { line.appendSpaces(ColumnLayout.gap) }
      let column = columns[position]
      let value = row.values[column]
      append(
        CellText.text(for: value, limit: width),
        width: width,
        atRight: CellText.isNumber(value),
        style: isSelected ? .selected : rowStyle.style(ofColumn: column, isNull: value.isNull),
        to: &line
      )
    }
    return line
  }

  private func append(
    _ text: DisplayText,
    width: Int,
    atRight: Bool,
    style: TextStyle,
    to line: inout StyledLine
  ) {
    if atRight { line.appendSpaces(width - text.width) }
    line.append(text, style: style)
    if !atRight { line.appendSpaces(width - text.width) }
  }

  /// Returns a line with the number of hidden rows, and how many of them are marked.
  private func note(
    _ rows: ArraySlice<MarkedRow>,
    _ others: (rows: Int, marks: Int),
    place: String? = nil
  ) -> StyledLine {
    let marked = rows.lazy.filter { $0.mark != .unchanged }.count + others.marks
    let count = rows.count + others.rows
    var text = "… \(count) more \(count == 1 ? "row" : "rows")"
    if let place { text += " \(place)" }
    if marked > 0 { text += " (\(marked) marked)" }
    return StyledLine(text, style: .faint, limit: size.columns)
  }
}
