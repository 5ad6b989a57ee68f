/// A queue of queries that wait for their turn. It does not hold a query that was taken.
struct QueryLine<Query: Sendable>: Sendable {
  /// The queries from `start` on; `nil` where one was taken.
  private var queries: [Query?] = []
  private var start = 0

  mutating func append(_ query: Query) { queries.append(query) }

  mutating func popFirst() -> Query? {
    guard start < queries.count else { return nil }
    let query = queries[start]
    queries[start] = nil
    start += 1
    // Places are removed when most of them are empty, so that each query is moved at most once.
    if start * 2 >= queries.count {
      queries.removeFirst(start)
      start = 0
    }
    return query
  }

  /// Empties the line.
  ///
  /// - Returns: The queries that waited.
  mutating func removeAll() -> [Query] {
    defer { self = QueryLine() }
    return queries.compactMap { $0 }
  }
}
