internal import Storage

/// Writes each row as a line of aligned columns at once.
///
/// Later rows are not known, so a column gets wider when a value needs it.
struct ColumnLineWriter: RowWriter {
  private var widths: [Int]
  private var output: BufferedOutput

  /// The width at which a cell is cut.
  private static let widest = 60

  init(columns: [String], output: Output) {
    let names = columns.map { DisplayText($0, limit: Self.widest) }
    widths = names.map(\.width)
    self.output = BufferedOutput(output)
    append(names, atRight: [])
  }

  mutating func write(_ row: [DatabaseValue]) throws {
    let cells = row.map { CellText.text(for: $0, limit: Self.widest) }
    for (column, cell) in cells.enumerated() { widths[column] = max(widths[column], cell.width) }
    append(cells, atRight: row.map(CellText.isNumber))
    try output.writeIfFull()
  }

  mutating func finish() throws {
    try output.flush()
  }

  private mutating func append(_ cells: [DisplayText], atRight: [Bool]) {
    let line = StyledLine.row(of: cells, widths: widths, atRight: atRight)
    output.bytes += line.text.utf8
    output.bytes.append(UInt8(ascii: "\n"))
  }
}

extension StyledLine {
  /// Returns a line with cells in columns, of which some are aligned to the right.
  static func row(of cells: [DisplayText], widths: [Int], atRight: [Bool]) -> StyledLine {
    var line = StyledLine()
    for (column, cell) in cells.enumerated() {
      if column > 0 { line.appendSpaces(ColumnLayout.gap) }
      let isAtRight = atRight.indices.contains(column) && atRight[column]
      let room = widths[column] - cell.width
      if isAtRight { line.appendSpaces(room) }
      line.append(cell, style: .plain)
      if !isAtRight, column < cells.count - 1 { line.appendSpaces(room) }
    }
    return line
  }
}
