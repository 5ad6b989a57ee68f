internal import Storage

/// Writes all rows as aligned columns, when the last one is known.
struct TableRowWriter: RowWriter {
  private let columns: [String]
  private var rows: [[DatabaseValue]] = []
  private var output: BufferedOutput

  /// The width at which a cell is cut.
  private static let widest = 60

  init(columns: [String], output: Output) {
    self.columns = columns
    self.output = BufferedOutput(output)
  }

  mutating func write(_ row: [DatabaseValue]) throws {
    rows.append(row)
  }

  mutating func finish() throws {
    let names = columns.map { DisplayText($0, limit: Self.widest) }
    let cells = rows.map { row in row.map { CellText.text(for: $0, limit: Self.widest) } }
    let widths = columns.indices.map { column in
      cells.reduce(names[column].width) { max($0, $1[column].width) }
    }
    let isNumeric = columns.indices.map { column in
      rows.contains { !$0[column].isNull }
        && rows.allSatisfy { $0[column].isNull || CellText.isNumber($0[column]) }
    }
    append(names, widths: widths, atRight: isNumeric)
    append(widths.map { DisplayText(String(repeating: "-", count: $0)) }, widths: widths)
    for (row, cells) in zip(rows, cells) {
      append(cells, widths: widths, atRight: row.map(CellText.isNumber))
      try output.writeIfFull()
    }
    output.bytes += "\(rows.count) \(rows.count == 1 ? "row" : "rows")\n".utf8
    try output.flush()
  }

  private mutating func append(
    _ cells: [DisplayText],
    widths: [Int],
    atRight: [Bool] = []
  ) {
    let line = StyledLine.row(of: cells, widths: widths, atRight: atRight)
    output.bytes += line.text.utf8
    output.bytes.append(UInt8(ascii: "\n"))
  }
}
