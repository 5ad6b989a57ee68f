/// Yields the rows of a statement. All of them are one ``Row`` that changes with each step: take a
/// ``Row/copy()`` of those to keep.
public final class RowCursor: Cursor {
  // Confined to the access, so that exclusive access need not be checked for each row.
  @exclusivity(unchecked) private var run: StatementRun
  @exclusivity(unchecked) private var row: Row?
  private let adapter: (any RowAdapter)?

  init(_ statement: Statement, _ adapter: (any RowAdapter)? = nil) {
    run = StatementRun(statement)
    self.adapter = adapter
  }

  deinit {
    run.finish()
  }

  /// Returns the next row, or `nil` at the end.
  ///
  /// - Throws: ``DatabaseError`` when the step fails.
  public func next() throws -> Row? {
    guard try run.next() else { return nil }
    if let row {
      row.rewind()
      return row
    }
    let row = try Row.live(in: run.statement, adapter)
    self.row = row
    return row
  }
}
