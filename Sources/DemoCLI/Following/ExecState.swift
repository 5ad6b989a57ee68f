internal import CommandLineSupport
internal import Glibc
internal import Storage

/// Keeps other processes from using the same state.
///
/// It opens the file before SQLite does, and closes it after SQLite: to close any descriptor of a
/// file ends all POSIX locks of the process on it. The lock of `flock` is of another kind.
/// https://www.sqlite.org/howtocorrupt.html
private final class StateLock {
  private let descriptor: Int32

  /// Opens the file, or creates it for its owner only.
  ///
  /// - Throws: ``ToolError`` when another `exec` uses the state.
  init(path: String) throws {
    // SQLite reports a file that cannot be opened.
    descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      close(descriptor)
      throw ToolError("\(path) is the state of another exec, which still runs")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}

/// The last result that a command has received, in a file: after a restart, the command gets the
/// changes since then.
///
/// A run and the file are not one transaction: if the tool is killed between a run and its note in
/// the file, the command gets the same changes again.
struct ExecState {
  private let lock: StateLock
  private let queue: DatabaseQueue
  private let path: String
  private let title: String

  /// Opens the file, or creates it: with the rows of a table, it is for its owner only.
  ///
  /// - Throws: ``ToolError`` when the file cannot be opened.
  init(path: String, query: WatchedQuery) throws {
    self.path = path
    title = query.title
    lock = try StateLock(path: path)
    do {
      queue = try DatabaseQueue(path: path)
    } catch {
      throw ToolError(WatchedFile(path: path).message(for: error))
    }
  }

  /// Returns the result of the last run; `nil` if there was none. It may have other columns.
  ///
  /// - Throws: ``ToolError`` when the file belongs to another query, or rows have no keys.
  func load(for current: WatchedResult) throws -> WatchedResult? {
    try checkKey(of: current)
    return try read { db in
      let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema ORDER BY name")
      guard !tables.isEmpty else { return nil }
      let known =
        tables.contains("wellspring_exec")
        ? try String.fetchOne(db, sql: "SELECT query FROM wellspring_exec") : nil
      guard known == title else {
        throw ToolError("\(path) is not a state of this query, but of \(known ?? "something else")")
      }
      let columns = try String.fetchAll(
        db,
        sql: "SELECT name FROM wellspring_exec_column ORDER BY position"
      )
      let keyCount = try Int.fetchOne(db, sql: "SELECT key_count FROM wellspring_exec") ?? 0
      let order = (0..<keyCount).map { "k\($0)" }.joined(separator: ", ")
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM wellspring_exec_row ORDER BY \(order)")
        .map(\.databaseValues)
      return WatchedResult(
        columns: columns,
        rows: rows.map { Array($0.dropFirst(keyCount)) },
        keys: rows.map { Array($0.prefix(keyCount)) }
      )
    }
  }

  /// Checks that the rows have keys. A NULL in a primary key means that they have none.
  private func checkKey(of result: WatchedResult) throws {
    guard result.key == .wholeRow else { return }
    throw ToolError("--state needs rows with row ids, a primary key or --key")
  }

  /// Notes the result of a run; with a former result, only the changes since then.
  ///
  /// - Throws: ``ToolError`` when the file cannot be written, or rows have no keys.
  func save(_ result: WatchedResult, since previous: WatchedResult?) throws {
    try checkKey(of: result)
    let keyCount = result.keyCount ?? 1
    try write { db in
      let isSame = try previous?.columns == result.columns && storedKeyCount(db) == keyCount
      if !isSame { try makeTables(db, result.columns, keyCount: keyCount) }
      let former = isSame ? previous! : WatchedResult(columns: result.columns, rows: [], keys: [])
      // Where columns identify the rows, several rows may have one key, whose last one is kept.
      let isUnique = if case .appended = result.key { true } else { false }
      let (rows, formerRows) =
        isUnique ? SharedRows.remove(from: result, former) : (result, former)
      let keys = rows.keys ?? []
      let old = Dictionary(
        zip(formerRows.keys ?? [], formerRows.rows),
        uniquingKeysWith: { first, _ in first }
      )
      let isKey = (0..<keyCount).map { "k\($0) IS ?" }.joined(separator: " AND ")
      let kept = Set(keys)
      for key in old.keys where !kept.contains(key) {
        try db.execute(
          sql: "DELETE FROM wellspring_exec_row WHERE \(isKey)",
          arguments: StatementArguments(key)
        )
      }
      let values = Array(repeating: "?", count: keyCount + result.columns.count)
      let insert =
        "INSERT OR REPLACE INTO wellspring_exec_row VALUES (\(values.joined(separator: ", ")))"
      for (key, row) in zip(keys, rows.rows) where old[key] != row {
        try db.execute(sql: insert, arguments: StatementArguments(key + row))
      }
    }
  }

  private func storedKeyCount(_ db: Database) throws -> Int? {
    guard try db.tableExists("wellspring_exec") else { return nil }
    return try Int.fetchOne(db, sql: "SELECT key_count FROM wellspring_exec")
  }

  private func makeTables(_ db: Database, _ columns: [String], keyCount: Int) throws {
    for table in ["wellspring_exec", "wellspring_exec_column", "wellspring_exec_row"] {
      try db.execute(sql: "DROP TABLE IF EXISTS \(table)")
    }
    let keys = (0..<keyCount).map { "k\($0)" }
    let names = keys + columns.indices.map { "c\($0)" }
    let list = (names + ["PRIMARY KEY (\(keys.joined(separator: ", ")))"]).joined(separator: ", ")
    try db.execute(sql: "CREATE TABLE wellspring_exec (query TEXT, key_count INTEGER)")
    try db.execute(
      sql: "INSERT INTO wellspring_exec VALUES (?, ?)",
      arguments: [title, keyCount]
    )
    try db.execute(sql: "CREATE TABLE wellspring_exec_column (position INTEGER, name TEXT)")
    for (position, name) in columns.enumerated() {
      try db.execute(
        sql: "INSERT INTO wellspring_exec_column VALUES (?, ?)",
        arguments: [position, name]
      )
    }
    try db.execute(sql: "CREATE TABLE wellspring_exec_row (\(list))")
  }

  private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try improvingErrors { try queue.read(body) }
  }

  private func write(_ body: (Database) throws -> Void) throws {
    try improvingErrors { try queue.write(body) }
  }

  private func improvingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw ToolError(WatchedFile(path: path).message(for: error))
    }
  }
}
