internal import CWellspringSQLite

/// The baseline of the benchmarks of small transactions. Every statement is prepared once.
final class RawCounter {
  let connection: RawConnection
  private let beginDeferred: OpaquePointer
  private let beginImmediate: OpaquePointer
  private let update: OpaquePointer
  private let selection: OpaquePointer
  private let commit: OpaquePointer

  init(path: String) throws {
    connection = try RawConnection(path: path)
    beginDeferred = try connection.prepare("BEGIN DEFERRED")
    beginImmediate = try connection.prepare("BEGIN IMMEDIATE")
    update = try connection.prepare(Counter.increment)
    selection = try connection.prepare(Counter.selection)
    commit = try connection.prepare("COMMIT")
  }

  /// Increments a counter in a write transaction.
  func increment(_ id: Int, by amount: Int) throws {
    try connection.run(beginImmediate)
    sqlite3_bind_int64(update, 1, Int64(amount))
    sqlite3_bind_int64(update, 2, Int64(id))
    try connection.run(update)
    try connection.run(commit)
  }

  /// Reads a counter in a read transaction.
  func value(_ id: Int) throws -> Int {
    try connection.run(beginDeferred)
    sqlite3_bind_int64(selection, 1, Int64(id))
    guard sqlite3_step(selection) == SQLITE_ROW else { throw connection.failure }
    let value = Int(sqlite3_column_int64(selection, 0))
    try connection.finish(selection)
    try connection.run(commit)
    return value
  }

  /// Empties the WAL.
  func emptyWAL() throws { try connection.execute(RawConnection.emptyingWAL) }

  /// Returns the sum of all counters.
  func sum() throws -> Int { try connection.integer(Counter.sum) }
}
