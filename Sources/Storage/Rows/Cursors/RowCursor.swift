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

/// A cursor that decodes the rows of a statement.
public final class DecodingCursor<Element: Fetchable>: Cursor {
  private let rows: RowCursor

  init(_ statement: Statement, _ adapter: (any RowAdapter)? = nil) {
    rows = RowCursor(statement, adapter)
  }

  /// Returns the next element, or `nil` at the end.
  ///
  /// - Throws: ``DatabaseError`` when the step fails, or a decoding error. After a decoding error
  ///   the cursor can continue with the next row.
  public func next() throws -> Element? {
    guard let row = try rows.next() else { return nil }
    return try Element.fetched(from: row)
  }
}

/// A cursor of records.
public typealias RecordCursor<Record: FetchableRecord> = DecodingCursor<Record>

/// A cursor of values.
public typealias DatabaseValueCursor<Value: DatabaseValueConvertible> = DecodingCursor<Value>

/// One cursor's run of a statement.
@usableFromInline
struct StatementRun {
  private enum Phase {
    case new
    case running
    /// No further row follows, at the end or after an error.
    case done
  }

  @usableFromInline let statement: Statement
  private var phase = Phase.new
  private var run: UInt = 0
  /// The error of the last step, which each further step throws again.
  private var failure: (any Error)?

  init(_ statement: Statement) {
    self.statement = statement
    statement.lastRun.isReserved = true
  }

  /// Advances to the next row, and returns whether there is one. After an error, it throws the
  /// error again, because no further row can be read.
  @inline(__always)
  mutating func next() throws -> Bool {
    guard phase == .running, statement.isRunning, statement.lastRun.number == run else {
      return try beginOrStop()
    }
    do {
      if try statement.stepInline() { return true }
    } catch {
      throw fail(error)
    }
    finish()
    return false
  }

  /// Advances a run that does not run: before its first row, or after its end.
  private mutating func beginOrStop() throws -> Bool {
    switch phase {
    case .running:
      throw Self.ended
    case .new:
      statement.lastRun.isReserved = false
      phase = .done
      do {
        guard try statement.firstStep() else {
          statement.reset()
          return false
        }
      } catch {
        throw fail(error)
      }
      run = statement.lastRun.number
      phase = .running
      return true
    case .done:
      if let failure { throw failure }
      return false
    }
  }

  private static let ended = DatabaseError.misuse(
    """
    a cursor was used after the access that created it had ended, or after its statement had been \
    started again: collect its elements in an array, and return the array
    """
  )

  private mutating func fail(_ error: any Error) -> any Error {
    phase = .done
    failure = error
    return error
  }

  /// Ends the run unless it has already ended.
  mutating func finish() {
    if phase == .new { statement.lastRun.isReserved = false }
    if phase == .running, statement.isRunning, statement.lastRun.number == run { statement.reset() }
    phase = .done
  }
}
