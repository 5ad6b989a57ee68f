/// A text format for the rows of a query.
///
/// `.debug()`, `.list()`, `.line()`, `.quote()` and `.json()` are the formats of the `sqlite3`
/// shell. https://www.sqlite.org/cli.html#changing_output_formats
public protocol DumpFormat: Sendable {
  /// Writes a row.
  ///
  /// - Throws: Any error, which ends the dump.
  mutating func write(_ row: DumpedRow, to stream: inout DumpStream) throws

  /// Writes the text after the last row. It is also called when there was no row.
  mutating func finish(to stream: inout DumpStream)
}

extension DumpFormat {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public mutating func finish(to stream: inout DumpStream) {}
}
