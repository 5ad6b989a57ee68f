internal import CommandLineSupport
internal import Storage

/// Writes all rows of each value, as `query` does.
///
/// Of several queries, the rows of a table follow a line with the query's name; in other formats,
/// the name is the first column.
struct RowsValueWriter: ValueWriter {
  let format: OutputFormat
  /// The text between two values.
  let separator: String
  let output: Output
  /// The name of the query, if there are several.
  private let query: String?
  private var isFirst: Bool

  /// Creates a writer. `isFirst` says whether its first value starts the output.
  init(
    format: OutputFormat,
    separator: String,
    output: Output,
    query: String? = nil,
    isFirst: Bool = true
  ) {
    self.format = format
    self.separator = separator
    self.output = output
    self.query = query
    self.isFirst = isFirst
  }

  var comparesValues: Bool { false }

  mutating func write(_ value: WatchedValue, since previous: WatchedResult?) throws -> Bool {
    if !isFirst { try output.write(separator) }
    isFirst = false
    let heading = format == .table ? query : nil
    if let heading { try output.write(DisplayText.escaped(heading) + "\n") }
    let column = heading == nil ? query : nil
    let names = column == nil ? [] : ["query"]
    let values = column.map { [$0.databaseValue] } ?? []
    var writer = format.makeWriter(columns: names + value.result.columns, to: output)
    for row in value.result.rows { try writer.write(values + row) }
    try writer.finish()
    return true
  }
}
