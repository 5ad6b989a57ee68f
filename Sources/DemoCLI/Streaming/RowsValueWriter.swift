/// Writes all rows of each value, as `query` does.
struct RowsValueWriter: ValueWriter {
  let format: OutputFormat
  /// What comes between two values.
  let separator: String
  let output: Output
  private var isFirst = true

  init(format: OutputFormat, separator: String, output: Output) {
    self.format = format
    self.separator = separator
    self.output = output
  }

  var comparesValues: Bool { false }

  mutating func write(_ value: WatchedValue, since previous: WatchedResult?) throws -> Bool {
    if !isFirst { try output.write(separator) }
    isFirst = false
    var writer = format.makeWriter(columns: value.result.columns, to: output)
    for row in value.result.rows { try writer.write(row) }
    try writer.finish()
    return true
  }
}
