internal import CWellspringSQLite

/// The baseline of the benchmarks of small transactions: every statement is prepared once.
final class RawCounter {
  let connection: RawConnection
  private let beginning: OpaquePointer
  private let writing: OpaquePointer
  private let raising: OpaquePointer
  private let selection: OpaquePointer
  private let commit: OpaquePointer

  init(path: String) throws {
    connection = try RawConnection(path: path)
    beginning = try connection.prepare("BEGIN DEFERRED")
    writing = try connection.prepare("BEGIN IMMEDIATE")
    raising = try connection.prepare(Counter.raising)
    selection = try connection.prepare(Counter.selection)
    commit = try connection.prepare("COMMIT")
  }

  /// Raises a counter in a write transaction.
  func raise(_ id: Int, by amount: Int) throws {
    try connection.run(writing)
    sqlite3_bind_int64(raising, 1, Int64(amount))
    sqlite3_bind_int64(raising, 2, Int64(id))
    try connection.run(raising)
    try connection.run(commit)
  }

  /// Reads a counter in a read transaction.
  func value(_ id: Int) throws -> Int {
    try connection.run(beginning)
    sqlite3_bind_int64(selection, 1, Int64(id))
    guard sqlite3_step(selection) == SQLITE_ROW else { throw connection.failure }
    let value = Int(sqlite3_column_int64(selection, 0))
    try connection.finish(selection)
    try connection.run(commit)
    return value
  }

  /// Empties the WAL.
  func emptyWAL() throws { try connection.execute(RawConnection.emptyingWAL) }

  /// The sum of all counters.
  func sum() throws -> Int { try connection.integer(Counter.sum) }
}
