/// The statements that a connection keeps for reuse, by their SQL: the least recently used one is
/// dropped when there are too many.
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

  /// How many statements are kept.
  var count: Int { entries.count }

  /// The statement of `sql` when it is there and idle.
  ///
  /// One that is running stays where it is: its caller gets a statement of its own.
  mutating func idleStatement(for sql: String) -> Statement? {
    uses &+= 1
    guard let index = entries.index(forKey: sql) else { return nil }
    let statement = entries.values[index].statement
    guard !statement.isRunning, !statement.isReserved else { return nil }
    entries.values[index].lastUse = uses
    return statement
  }

  /// Keeps a statement, unless there is one for the same SQL already.
  mutating func insert(_ statement: Statement, for sql: String) {
    // SQLite does not compile an explanation again when the schema has changed.
    guard capacity > 0, entries[sql] == nil, !statement.isExplanation else { return }
    if entries.count >= capacity { makeRoom() }
    entries[sql] = Entry(statement: statement, lastUse: uses)
  }

  mutating func removeAll() {
    entries.removeAll()
  }

  /// Drops the older half, so that the scan is paid once for many insertions.
  private mutating func makeRoom() {
    let byAge = entries.sorted { $0.value.lastUse < $1.value.lastUse }
    // Whoever runs a statement that is dropped keeps it.
    for (sql, _) in byAge.prefix(max(1, capacity / 2)) { entries[sql] = nil }
  }
}
