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
  /// The rows that were removed and added, with `-` and `+`.
  case diff

  /// Returns a writer of values, or of the rows that change from value to value.
  func makeWriter(onlyChanges: Bool, to output: Output) -> any ValueWriter {
    switch (self, onlyChanges) {
    case (.json, false): JSONValueWriter(output: output)
    case (.ndjson, false): RowsValueWriter(format: .ndjson, separator: "", output: output)
    case (.csv, false): RowsValueWriter(format: .csv, separator: "\r\n", output: output)
    case (.table, false): RowsValueWriter(format: .table, separator: "\n", output: output)
    case (.json, true): JSONChangesWriter(output: output, isLinePerRow: false)
    case (.ndjson, true): JSONChangesWriter(output: output, isLinePerRow: true)
    case (.csv, true): TabularChangesWriter { CSVRowWriter(columns: $0, output: output) }
    case (.table, true): TabularChangesWriter { ColumnLineWriter(columns: $0, output: output) }
    case (.diff, let onlyChanges): DiffWriter(output: output, skipsFirst: onlyChanges)
    }
  }
}
