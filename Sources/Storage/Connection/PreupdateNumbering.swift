internal import CWellspringSQLite

/// How the preupdate hook numbers the values of a row whose table has virtual generated columns.
///
/// `sqlite3_preupdate_count` counts all columns, but virtual ones have no value. SQLite 3.40
/// numbers the values in the order of storage, except for the old values of a `WITHOUT ROWID`
/// table, which it numbers in the order of declaration. Its documentation says neither, so an
/// experiment with SQLite decides.
enum PreupdateNumbering {
  /// Whether a value of a table with row ids, or a new value, is numbered by the place at which its
  /// column is declared.
  static let followsDeclaration: Bool = {
    guard CompileOption.present.contains(.preupdateHook) else { return false }
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
