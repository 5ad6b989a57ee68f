internal import CommandLineSupport

/// The forms in which rows are written.
enum OutputFormat: String, NamedOption {
  /// Aligned columns, for people.
  case table
  /// JSON: an array of objects, with one row in each line.
  case json
  /// One JSON object for each row, each on a line of its own.
  case ndjson
  /// Comma-separated values with a header, as in RFC 4180.
  case csv

  /// Each value on a line of its own.
  case line

  /// The format for a terminal, or for a pipe or a file.
  static func standard(isTerminal: Bool) -> OutputFormat { isTerminal ? .table : .ndjson }

  /// Returns a writer of rows in this format.
  func makeWriter(columns: [String], to output: Output) -> any RowWriter {
    switch self {
    case .table:
      TableRowWriter(
        columns: columns,
        output: output,
        window: output.isTerminal ? Terminal(output: output).size.columns : nil
      )
    case .json: JSONRowWriter(columns: columns, output: output, isArray: true)
    case .ndjson: JSONRowWriter(columns: columns, output: output, isArray: false)
    case .csv: CSVRowWriter(columns: columns, output: output)
    case .line: LineRowWriter(columns: columns, output: output)
    }
  }
}
