internal import CommandLineSupport
internal import Storage

/// Writes each row as a line of aligned columns at once.
///
/// The names of the columns are aligned with the first rows. Later rows are not known, so a column
/// gets wider when a value needs it.
struct ColumnLineWriter: RowWriter {
  private let names: [DisplayText]
  private var widths: [Int]
  private var output: BufferedOutput
  /// The first rows, until they are written with the names of the columns; `nil` from then on.
  private var first: [[DatabaseValue]]? = []

  /// The largest number of rows that are kept before they are written.
  private static let measuredCount = 100

  /// The width at which a cell is cut.
  private static let widest = 60

  init(columns: [String], output: Output) {
    names = columns.map { DisplayText($0, limit: Self.widest) }
    widths = names.map(\.width)
    self.output = BufferedOutput(output)
  }

  mutating func write(_ row: [DatabaseValue]) throws {
    if first == nil { return try append(row) }
    first?.append(row)
    if first?.count == Self.measuredCount { try begin() }
  }

  mutating func finish() throws {
    try begin()
    try output.flush()
  }

  /// Writes the names of the columns and the first rows.
  private mutating func begin() throws {
    guard let rows = first else { return }
    first = nil
    for row in rows { measure(cells(row)) }
    let isNumeric = names.indices.map { CellText.areNumbers(rows, column: $0) }
    append(names, atRight: isNumeric)
    for row in rows { try append(row) }
  }

  private func cells(_ row: [DatabaseValue]) -> [DisplayText] {
    row.map { CellText.text(for: $0, limit: Self.widest) }
  }

  private mutating func measure(_ cells: [DisplayText]) {
    for (column, cell) in cells.enumerated() { widths[column] = max(widths[column], cell.width) }
  }

  private mutating func append(_ row: [DatabaseValue]) throws {
    let cells = cells(row)
    measure(cells)
    append(cells, atRight: row.map(CellText.isNumber))
    try output.writeIfFull()
  }

  private mutating func append(_ cells: [DisplayText], atRight: [Bool]) {
    let line = StyledLine.row(of: cells, widths: widths, atRight: atRight)
    output.bytes += line.text.utf8
    output.bytes.append(UInt8(ascii: "\n"))
  }
}

extension StyledLine {
  /// Returns a line with cells in columns. Some columns are aligned to the right.
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
