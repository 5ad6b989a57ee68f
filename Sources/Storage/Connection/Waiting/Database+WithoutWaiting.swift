internal import CWellspringSQLite

extension Database {
  /// Runs a closure whose statements fail immediately when another connection holds a lock.
  func withoutWaiting<Result>(_ body: () throws -> Result) rethrows -> Result {
    sqlite3_busy_handler(sqliteConnection, nil, nil)
    defer { busyHandler.install(on: sqliteConnection) }
    return try body()
  }
}
