internal import Storage
internal import WellspringPlatform

/// Fetches a query again and again.
///
/// Rows that have not changed are not copied out of SQLite again: a result shares them with the
/// result before it, so that a commit of one row in a large table costs little.
final class ResultReader: Sendable {
  private let query: WatchedQuery
  private let last = Lock<WatchedResult?>(nil)

  init(_ query: WatchedQuery) {
    self.query = query
  }

  /// Fetches the result.
  ///
  /// - Throws: `DatabaseError` or ``ToolError``.
  func fetch(_ db: Database) throws -> WatchedResult {
    try last.withLock { last in
      try Suggestion.improvingErrors(db) {
        let result = try query.plan(db).fetch(db, sharing: last)
        last = result
        return result
      }
    }
  }
}
