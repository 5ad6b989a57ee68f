internal import Storage

/// Writes the rows of one result, from the first to the last.
protocol RowWriter {
  /// Writes a row.
  mutating func write(_ row: [DatabaseValue]) throws

  /// Ends the result. A result without rows is written, too.
  mutating func finish() throws
}
