/// The rows of a statement, kept until the rows that are associated with them have been fetched.
///
/// Associated rows are fetched when the first row is decoded: only then is it known as which type,
/// so that they need not be copied first. A buffer is used only inside the access that fetches.
@usableFromInline
final class RowBuffer {
  private(set) var rows: [Row] = []
  private(set) var levels: [PrefetchedLevel] = []
  let db: Database
  /// The table of the rows.
  let tableName: String?
  private let adapter: (any RowAdapter)?
  /// The adapter for the layout of the rows, once there is one.
  private var adaptation: RowAdaptation?
  /// The error of a member that could not throw it.
  private var failure: (any Error)?
  /// Whether the fetch has ended.
  private var isFinished = false

  /// Makes a buffer for rows of a request.
  init(of request: PreparedRequest, _ db: Database) {
    self.db = db
    tableName = request.tableName
    adapter = request.adapter
    levels = request.prefetches.map { PrefetchedLevel($0, self) }
  }

  /// Runs the statement of a request, and copies its rows.
  ///
  /// `visit` is called for each row, with the live row of the statement. It returns `false` to end
  /// the run before the row.
  convenience init(
    _ request: PreparedRequest,
    _ db: Database,
    isSingle: Bool = false,
    visit: (Row) throws -> Bool = { _ in true }
  ) throws {
    self.init(of: request, db)
    try request.recordRegionOfLaterRuns(db)
    let statement = request.statement
    defer { statement.reset() }
    do {
      guard try statement.firstStep() else { return }
      let live = Row(liveIn: statement)
      repeat {
        guard try visit(live) else { return }
        try append(live)
        live.rewind()
      } while try !isSingle && statement.step()
    } catch {
      // The rows hold the buffer.
      finish()
      throw error
    }
  }

  /// Copies the live row of a statement. All rows have the same columns.
  func append(_ live: Row) throws {
    if let adapter, rows.isEmpty { adaptation = try RowAdaptation(adapter, of: live.layout) }
    for level in levels { try level.addRow(live) }
    let base = live.copy()
    base.prefetched = .pending(self, rows.count)
    rows.append(adaptation.map { Row(base: base, adaptation: $0) } ?? base)
  }

  /// Decodes all rows, and ends the fetch.
  func decode<Element>(_ decode: (Row) throws -> Element) throws -> [Element] {
    defer { finish() }
    return try rows.map { row in
      let element = try decode(row)
      try checkFailure()
      return element
    }
  }

  /// Keeps the error of a member that cannot throw it.
  func fail(_ error: any Error) { failure = failure ?? error }

  /// Throws the error of a member that could not throw it.
  func checkFailure() throws {
    if let failure { throw failure }
  }

  /// Ends the fetch: no rows can be fetched any more.
  func finish() {
    isFinished = true
    levels = []
    rows = []
  }

  /// Returns the level of a name that is nearest to a scope.
  func level(_ key: String, in scope: [String]) -> PrefetchedLevel? {
    precondition(
      !isFinished,
      """
      The associated rows of a row were read after the row had been decoded. Read them in \
      init(row:), or keep a copy() of the row.
      """
    )
    return levels.filter { $0.prefetch.key == key && $0.prefetch.scope.starts(with: scope) }
      .min { $0.prefetch.scope.count < $1.prefetch.scope.count }
  }
}
