internal import CommandLineSupport
internal import Storage

/// Writes rows as aligned columns, whose widths fit the first rows.
///
/// Later rows are written as they come, so that a large result needs little memory: a column gets
/// wider when a later value needs it. On a terminal, columns are made to fit, and hidden columns
/// are counted.
struct TableRowWriter: RowWriter {
  private let columns: [String]
  /// The width of the window, if there is one.
  private let window: Int?
  /// The rows so far, until their widths are known.
  private var rows: [[DatabaseValue]] = []
  private var widths: [Int]?
  private var count = 0
  private var hiddenCount = 0
  private var output: BufferedOutput

  /// The width at which a cell is cut.
  private static let widest = 60
  /// The number of rows from which the widths are known.
  private static let measuredCount = 1_000

  init(columns: [String], output: Output, window: Int? = nil) {
    self.columns = columns
    self.window = window
    self.output = BufferedOutput(output)
  }

  mutating func write(_ row: [DatabaseValue]) throws {
    count += 1
    guard widths != nil else {
      rows.append(row)
      if rows.count == Self.measuredCount { try begin() }
      return
    }
    try append(row)
  }

  mutating func finish() throws {
    if widths == nil { try begin() }
    output.bytes += "\(count) \(count == 1 ? "row" : "rows")\n".utf8
    if hiddenCount > 0 {
      let columns = hiddenCount == 1 ? "1 column does" : "\(hiddenCount) columns do"
      output.bytes += "\(columns) not fit: --format line shows all\n".utf8
    }
    try output.flush()
  }

  /// Writes the names of the columns and the rows so far.
  private mutating func begin() throws {
    var widths = ColumnWidths(columns: columns.map { DisplayText($0, limit: Self.widest).text })
    for row in rows {
      for (column, value) in row.enumerated() {
        let cell = CellText.text(for: value, limit: Self.widest)
        widths.fit(cell.width, inColumn: column, isNumber: CellText.isNumber(value))
      }
    }
    let layout = ColumnLayout(
      natural: widths.natural,
      least: widths.least,
      available: window ?? .max / 2
    )
    hiddenCount = layout.hiddenCount
    self.widths = layout.widths
    let isNumeric = columns.indices.map { CellText.areNumbers(rows, column: $0) }
    let names = zip(columns, layout.widths).map { DisplayText($0, limit: $1) }
    let note = layout.hiddenCount == 0 ? "" : "  " + layout.hiddenNote
    append(names, atRight: isNumeric, note: note)
    append(layout.widths.map { DisplayText(String(repeating: "-", count: $0)) })
    for row in rows { try append(row) }
    rows = []
  }

  private mutating func append(_ row: [DatabaseValue]) throws {
    var cells: [DisplayText] = []
    for column in widths!.indices {
      let limit = window == nil ? Self.widest : widths![column]
      let cell = CellText.text(for: row[column], limit: limit)
      cells.append(cell)
      widths![column] = max(widths![column], cell.width)
    }
    append(cells, atRight: row.map(CellText.isNumber))
    try output.writeIfFull()
  }

  private mutating func append(
    _ cells: [DisplayText],
    atRight: [Bool] = [],
    note: String = ""
  ) {
    let line = StyledLine.row(of: cells, widths: widths ?? [], atRight: atRight)
    output.bytes += line.text.utf8
    output.bytes += note.utf8
    output.bytes.append(UInt8(ascii: "\n"))
  }
}
