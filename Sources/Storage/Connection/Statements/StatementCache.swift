/// The statements that a connection keeps for reuse, by their SQL. When there are too many, the
/// least recently used ones are dropped.
struct StatementCache {
  private struct Entry {
    let statement: Statement
    var lastUse: UInt
  }

  private let capacity: Int
  private var entries: [String: Entry] = [:]
  private var uses: UInt = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 0)
  }

  /// The number of cached statements.
  var count: Int { entries.count }

  /// Returns the statement of `sql` when it is cached and idle.
  ///
  /// A statement that is running stays in the cache, and the caller must compile another one.
  mutating func idleStatement(for sql: String) -> Statement? {
    uses &+= 1
    guard let index = entries.index(forKey: sql) else { return nil }
    let statement = entries.values[index].statement
    guard !statement.isRunning, !statement.lastRun.isReserved else { return nil }
    entries.values[index].lastUse = uses
    return statement
  }

  /// Adds a statement, unless the cache already has one for the same SQL.
  mutating func insert(_ statement: Statement, for sql: String) {
    // SQLite does not recompile an `EXPLAIN` when the schema has changed.
    guard capacity > 0, entries[sql] == nil, !statement.isExplanation else { return }
    if entries.count >= capacity { makeRoom() }
    entries[sql] = Entry(statement: statement, lastUse: uses)
  }

  mutating func removeAll() {
    entries.removeAll()
  }

  /// Drops the less recently used half, so that many insertions share the cost of one sort.
  private mutating func makeRoom() {
    let byAge = entries.sorted { $0.value.lastUse < $1.value.lastUse }
    // A caller that runs a dropped statement still holds it.
    for (sql, _) in byAge.prefix(max(1, capacity / 2)) { entries[sql] = nil }
  }
}
