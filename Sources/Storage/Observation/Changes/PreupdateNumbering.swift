internal import CWellspringSQLite

/// How the preupdate hook numbers the values of a row whose table has virtual generated columns.
///
/// All are counted by `sqlite3_preupdate_count`, but virtual ones have no value. SQLite 3.40 numbers
/// values as they are stored, but those before an update of a table `WITHOUT ROWID` as they are
/// declared. Its documentation says neither, so that SQLite is asked.
enum PreupdateNumbering {
  /// Whether a value of a table with row ids, or one after an update, is numbered by the place where
  /// its column is declared.
  static let followsDeclaration: Bool = {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    guard sqlite3_open(":memory:", &connection) == SQLITE_OK else { return false }
    var hasValue = true
    withUnsafeMutablePointer(to: &hasValue) { hasValue in
      sqlite3_preupdate_hook(
        connection,
        { context, connection, _, _, _, _, _ in
          var value: OpaquePointer?
          let code = sqlite3_preupdate_new(connection, 0, &value)
          context?.assumingMemoryBound(to: Bool.self).pointee = code == SQLITE_OK
        },
        hasValue
      )
      let sql = "CREATE TABLE t (v AS (x) VIRTUAL, x); INSERT INTO t VALUES (1)"
      sqlite3_exec(connection, sql, nil, nil, nil)
      sqlite3_preupdate_hook(connection, nil, nil)
    }
    return !hasValue
  }()
}
