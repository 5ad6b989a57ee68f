/// Something that yields elements one by one, as they are computed.
///
///     let names = try String.fetchCursor(db, sql: "SELECT name FROM item")
///     while let name = try names.next() {
///       print(name)
///     }
///
/// A cursor over a database is iterated once, in the access that made it: SQLite is asked for a row when
/// the cursor is asked for an element, and only then. Do not change the rows of the query while its
/// cursor is open: which changes it sees is not defined. A cursor cannot be a `Sequence`, because every
/// step can fail.
///
/// The operators are those of `Sequence`. What can be lazy is lazy:
///
///     let urls = try URL.fetchCursor(db, sql: "SELECT url FROM link")
///     try urls.filter { $0.host() == "github.com" }.forEach { print($0) }
public protocol Cursor<Element>: AnyObject {
  /// What the cursor yields.
  associatedtype Element

  /// The next element, or `nil` at the end.
  func next() throws -> Element?
}

/// The run of a statement, on behalf of one cursor.
@usableFromInline
struct StatementRun {
  private enum Phase {
    case new
    case running
    case done
  }

  @usableFromInline let statement: Statement
  private var phase = Phase.new
  private var run: UInt = 0

  init(_ statement: Statement) {
    self.statement = statement
    statement.isReserved = true
  }

  /// Moves on to the next row, and returns whether there is one.
  mutating func next() throws -> Bool {
    switch phase {
    case .running:
      precondition(
        statement.isRunning && statement.runNumber == run,
        """
        A cursor was used after the access that made it had ended, or after its statement had been \
        started again. Copy what it yields into an array, and return that.
        """
      )
      do {
        if try statement.step() { return true }
      } catch {
        phase = .done
        throw error
      }
      finish()
      return false
    case .new:
      statement.isReserved = false
      phase = .done
      guard try statement.firstStep() else {
        statement.reset()
        return false
      }
      run = statement.runNumber
      phase = .running
      return true
    case .done:
      return false
    }
  }

  /// Ends the run, if it still goes on.
  mutating func finish() {
    if phase == .new { statement.isReserved = false }
    if phase == .running, statement.isRunning, statement.runNumber == run { statement.reset() }
    phase = .done
  }
}

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

  /// The next row, or `nil` at the end.
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

/// Yields what the rows of a statement decode to.
public final class DecodingCursor<Element: Fetchable>: Cursor {
  private let rows: RowCursor

  init(_ statement: Statement, _ adapter: (any RowAdapter)? = nil) {
    rows = RowCursor(statement, adapter)
  }

  /// The next element, or `nil` at the end.
  ///
  /// - Throws: ``DatabaseError`` when the step fails, or what decoding throws, after which the
  ///   cursor can go on with the next row.
  public func next() throws -> Element? {
    guard let row = try rows.next() else { return nil }
    return try Element.fetched(from: row)
  }
}

/// A cursor of records.
public typealias RecordCursor<Record: FetchableRecord> = DecodingCursor<Record>

/// A cursor of values.
public typealias DatabaseValueCursor<Value: DatabaseValueConvertible> = DecodingCursor<Value>
