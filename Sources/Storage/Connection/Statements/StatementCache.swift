/// The statements that a connection keeps for reuse, by their SQL. When there are too many, the
/// least recently used ones are dropped.
struct StatementCache {
  /// The SQL of a statement. Literals in it may differ only in their Unicode forms.
  private struct Key: Hashable {
    let sql: String

    static func == (left: Key, right: Key) -> Bool { left.sql.hasSameBytes(as: right.sql) }
    func hash(into hasher: inout Hasher) { hasher.combine(sql) }
  }

  private struct Entry {
    let statement: Statement
    var lastUse: UInt
  }

  private let capacity: Int
  private var entries: [Key: Entry] = [:]
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
    guard let index = entries.index(forKey: Key(sql: sql)) else { return nil }
    let statement = entries.values[index].statement
    guard !statement.isRunning, !statement.lastRun.isReserved else { return nil }
    entries.values[index].lastUse = uses
    return statement
  }

  /// Adds a statement, unless the cache already has one for the same SQL.
  mutating func insert(_ statement: Statement, for sql: String) {
    let key = Key(sql: sql)
    // SQLite does not recompile an `EXPLAIN` when the schema has changed.
    guard capacity > 0, entries[key] == nil, !statement.isExplanation else { return }
    if entries.count >= capacity { makeRoom() }
    entries[key] = Entry(statement: statement, lastUse: uses)
  }

  mutating func removeAll() {
    entries.removeAll()
  }

  /// Drops the less recently used half, so that many insertions share the cost of one sort.
  private mutating func makeRoom() {
    let byAge = entries.sorted { $0.value.lastUse < $1.value.lastUse }
    // A caller that runs a dropped statement still holds it.
    for (key, _) in byAge.prefix(max(1, capacity / 2)) { entries[key] = nil }
  }
}
