/// A cursor that yields the rows of a statement.
///
/// It yields the same ``Row`` object for each step, with changed content. Take a ``Row/copy()`` to
/// keep a row.
public final class RowCursor: Cursor {
  // Confined to the access, so exclusivity checks for each row are unnecessary.
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

  /// The SQL of the statement.
  public var sql: String { run.statement.sql }

  /// The arguments of the statement.
  public var arguments: StatementArguments { run.statement.arguments }

  /// The names of the statement's columns, which an adapter may hide from the rows.
  public var columnNames: [String] { run.statement.columnNames }

  /// The number of the statement's columns.
  public var columnCount: Int { run.statement.columnCount }

  /// Returns the next row, or `nil` at the end.
  ///
  /// - Throws: ``DatabaseError`` when the step fails.
  public func next() throws -> Row? {
    guard try run.next() else { return nil }
    guard let row else { return try makeRow() }
    row.rewind()
    return row
  }

  /// Creates the row that all steps yield.
  private func makeRow() throws -> Row {
    let row = try Row.live(in: run.statement, adapter)
    self.row = row
    return row
  }
}

/// Returns the element itself, or a copy if it is a row: the next step changes the row of a cursor.
@inlinable
func independent<Element>(_ element: Element) -> Element {
  // In specialised code the comparison is a constant, and the whole function is optimised away.
  guard Element.self == Row.self else { return element }
  return (element as! Row).copy() as! Element
}
