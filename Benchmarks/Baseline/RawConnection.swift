internal import CWellspringSQLite

/// A connection that uses only SQLite's C functions: the baseline.
///
/// It is opened without a mutex, in WAL mode, with `synchronous=NORMAL` and foreign keys on, like
/// the pools of the benchmarks. Only the thread that created it may use it.
final class RawConnection {
  /// The pragma that empties the WAL.
  static let emptyingWAL = "PRAGMA wal_checkpoint(TRUNCATE)"

  private let handle: OpaquePointer
  private var statements: [OpaquePointer] = []

  /// Thrown when SQLite refuses.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Opens a file, and creates it if necessary.
  init(path: String, isReadonly: Bool = false) throws {
    var connection: OpaquePointer?
    let mode = isReadonly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let code = sqlite3_open_v2(path, &connection, mode | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let connection else {
      sqlite3_close_v2(connection)
      throw Failure(description: "cannot open \(path): \(String(cString: sqlite3_errstr(code)))")
    }
    handle = connection
    if !isReadonly { try execute("PRAGMA journal_mode = WAL") }
    try execute("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
  }

  deinit {
    for statement in statements { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// SQLite's error message for the last call.
  var failure: Failure { Failure(description: String(cString: sqlite3_errmsg(handle))) }

  /// Compiles a statement that lives as long as the connection.
  func prepare(_ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    guard sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil) == SQLITE_OK,
      let statement
    else { throw failure }
    statements.append(statement)
    return statement
  }

  /// Compiles and runs SQL statements once.
  func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  /// Runs a statement that returns no rows, and resets it.
  @inline(__always)
  func run(_ statement: OpaquePointer) throws {
    guard sqlite3_step(statement) == SQLITE_DONE else { throw failure }
    sqlite3_reset(statement)
  }

  /// Resets a statement after its last step.
  ///
  /// - Throws: ``Failure`` when the last step failed.
  @inline(__always)
  func finish(_ statement: OpaquePointer) throws {
    guard sqlite3_reset(statement) == SQLITE_OK else { throw failure }
  }

  /// Returns the integer in the first column of the first row of a query.
  func integer(_ sql: String) throws -> Int {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW
    else { throw failure }
    return Int(sqlite3_column_int64(statement, 0))
  }
}
