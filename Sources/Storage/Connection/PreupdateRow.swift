internal import CWellspringSQLite

/// A row that is about to change, as the preupdate hook shows it. It is valid inside the hook only.
///
/// Values are known by their numbers: see ``DeclaredTable/HookNumbers``.
package struct PreupdateRow {
  let connection: OpaquePointer
  /// `SQLITE_INSERT`, `SQLITE_UPDATE` or `SQLITE_DELETE`.
  let operation: Int32
  package let oldRowID: Int64
  package let newRowID: Int64

  package var isInserted: Bool { operation == SQLITE_INSERT }
  package var isUpdated: Bool { operation == SQLITE_UPDATE }
  package var isDeleted: Bool { operation == SQLITE_DELETE }

  /// The number in the declaration of the column whose blob is written in place; `nil` for other
  /// changes. SQLite reports such a write as a deletion without new values.
  package var writtenBlob: Int32? {
    let column = sqlite3_preupdate_blobwrite(connection)
    return column < 0 ? nil : column
  }

  /// How many columns the row has, those without a value included.
  var count: Int { Int(sqlite3_preupdate_count(connection)) }

  /// Returns a value before the change; `nil` if SQLite does not give it.
  package func old(_ number: Int32) -> OpaquePointer? {
    var value: OpaquePointer?
    return sqlite3_preupdate_old(connection, number, &value) == SQLITE_OK ? value : nil
  }

  /// Returns a value after the change; `nil` if SQLite does not give it.
  package func new(_ number: Int32) -> OpaquePointer? {
    var value: OpaquePointer?
    return sqlite3_preupdate_new(connection, number, &value) == SQLITE_OK ? value : nil
  }

  // MARK: Values

  /// Whether a value may be a rounded integer, because no real number equals the integer.
  ///
  /// Some versions of SQLite use the affinity of another column, and give an integer as the nearest
  /// real number.
  package static func mayBeRounded(_ value: OpaquePointer) -> Bool {
    guard sqlite3_value_type(value) == SQLITE_FLOAT else { return false }
    let number = sqlite3_value_double(value)
    return abs(number) >= 0x1p53 && abs(number) <= 0x1p63
  }

  /// Returns whether two values differ in their type or in their content; `nil` if SQLite has no
  /// memory for the bytes of one. From then on, it gives that value as NULL.
  package static func differs(_ old: OpaquePointer, _ new: OpaquePointer) -> Bool? {
    let type = sqlite3_value_type(old)
    guard type == sqlite3_value_type(new) else { return true }
    switch type {
    case SQLITE_NULL:
      return false
    case SQLITE_INTEGER:
      return sqlite3_value_int64(old) != sqlite3_value_int64(new)
    case SQLITE_FLOAT:
      return sqlite3_value_double(old).bitPattern != sqlite3_value_double(new).bitPattern
    default:
      let count = sqlite3_value_bytes(old)
      guard count == sqlite3_value_bytes(new) else { return true }
      guard count > 0 else { return false }
      guard let left = sqlite3_value_blob(old), let right = sqlite3_value_blob(new) else {
        return nil
      }
      return !UnsafeRawBufferPointer(start: left, count: Int(count))
        .elementsEqual(UnsafeRawBufferPointer(start: right, count: Int(count)))
    }
  }
}

/// How the preupdate hook numbers the values of a row whose table has virtual generated columns.
///
/// `sqlite3_preupdate_count` counts all columns, but virtual ones have no value. SQLite 3.40
/// numbers the values in the order of storage, except for the old values of a `WITHOUT ROWID`
/// table, which it numbers in the order of declaration. Its documentation says neither, so an
/// experiment with SQLite decides.
enum PreupdateNumbering {
  /// Whether a value of a table with row ids, or a new value, is numbered in the order of the
  /// declaration.
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
