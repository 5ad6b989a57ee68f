internal import CommandLineSupport
internal import Storage
internal import WellspringSystem

/// Fetches a query again and again.
///
/// Rows that have not changed are shared by a result and the result before it. A large or slow
/// result is patched where the library can do that, so that after a commit of one row, the other
/// rows need not be read. When two results in succession were not patched, the rows of the next
/// results are compared with the last rows as they are read, and only different rows are copied out
/// of SQLite.
final class ResultReader: Sendable {
  fileprivate struct State {
    var last: WatchedResult?
    /// Whether all results so far were small, and quick to read.
    var isQuick = false
    /// How many results in succession were fetched at once and not patched.
    var failures = 0
    /// How many of the next results are read row by row, because patches have failed.
    var rest = 0
  }

  private let query: WatchedQuery
  private let slowDuration: Duration
  // Guards the last result: an observation makes one call at a time.
  private let state = Lock(State())

  /// The largest result that is read row by row if that is quick.
  private static let smallCount = 2_000
  fileprivate static let rest = 1_000

  /// Creates a reader of a query, which is slow if it takes longer than a duration.
  init(_ query: WatchedQuery, slowDuration: Duration = .milliseconds(5)) {
    self.query = query
    self.slowDuration = slowDuration
  }

  /// Fetches the result.
  ///
  /// - Throws: `DatabaseError` or ``ToolError``.
  func fetch(_ db: Database) throws -> WatchedResult {
    try state.withLock { state in
      try Suggestion.improvingErrors(db) {
        let plan = try query.plan(db)
        let last = state.last
        let start = SuspendingClock.now
        let result: WatchedResult
        if state.rest > 0 || state.isQuick {
          state.rest = max(0, state.rest - 1)
          result = try plan.fetch(db, sharing: last)
        } else {
          result = try plan.fetchAtOnce(db)
          if let last { state.note(isPatched: Self.isPatched(result, since: last)) }
        }
        // A patch does not tell how long it takes to read the result.
        state.isQuick =
          (last == nil || state.isQuick) && result.rows.count <= Self.smallCount
          && SuspendingClock.now - start <= slowDuration
        state.last = result
        return result
      }
    }
  }

  /// Whether a result shares most of its rows with the result before. For a small result, it does
  /// not matter: to read it row by row takes as long.
  private static func isPatched(_ result: WatchedResult, since last: WatchedResult) -> Bool {
    result.rows.count <= smallCount
      || SharedRows.remove(from: result, last).next.rows.count <= result.rows.count / 2
  }
}

extension ResultReader.State {
  fileprivate mutating func note(isPatched: Bool) {
    failures = isPatched ? 0 : failures + 1
    // The first failure may only make the result that the second run patches.
    guard failures == 2 else { return }
    failures = 0
    rest = ResultReader.rest
  }
}
