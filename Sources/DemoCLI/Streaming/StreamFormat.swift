internal import CommandLineSupport

/// The forms in which `watch` writes values when it does not draw them in place.
enum StreamFormat: String, NamedOption {
  /// Aligned columns, for people.
  case table
  /// One JSON object for each value.
  case json
  /// One JSON object for each row.
  case ndjson
  /// Comma-separated values with a header, as in RFC 4180.
  case csv
  /// Each value on a line of its own.
  case line
  /// The rows that were removed and added, with `-` and `+`.
  case diff

  /// Returns a writer of values, or of the rows that change from value to value.
  ///
  /// - Parameters:
  ///   - onlyChanges: Whether only changed rows are written.
  ///   - output: Where to write.
  ///   - query: The name of the query, if there are several.
  ///   - isFirst: Whether the first value starts the output.
  /// - Returns: The writer.
  func makeWriter(
    onlyChanges: Bool,
    to output: Output,
    query: String? = nil,
    isFirst: Bool = true
  ) -> any ValueWriter {
    func rows(_ format: OutputFormat, _ separator: String) -> RowsValueWriter {
      RowsValueWriter(
        format: format,
        separator: separator,
        output: output,
        query: query,
        isFirst: isFirst
      )
    }
    return switch (self, onlyChanges) {
    case (.json, false): JSONValueWriter(output: output, query: query)
    case (.ndjson, false): rows(.ndjson, "")
    case (.csv, false): rows(.csv, "\r\n")
    case (.table, false): rows(.table, "\n")
    case (.line, false): rows(.line, "\n")
    case (.json, true): JSONChangesWriter(output: output, isLinePerRow: false, query: query)
    case (.ndjson, true): JSONChangesWriter(output: output, isLinePerRow: true, query: query)
    case (.csv, true):
      TabularChangesWriter(query: query) { CSVRowWriter(columns: $0, output: output) }
    case (.table, true):
      TabularChangesWriter(query: query) { ColumnLineWriter(columns: $0, output: output) }
    case (.line, true):
      TabularChangesWriter(query: query) { LineRowWriter(columns: $0, output: output) }
    case (.diff, let onlyChanges):
      DiffWriter(output: output, skipsFirst: onlyChanges, query: query)
    }
  }
}
