internal import CWellspringSQLite

/// How a column compares strings, as far as keys are compared outside of SQLite.
enum KeyCollation: Hashable, Sendable {
  case binary
  case nocase
  case rtrim

  /// The name that SQLite gives to the collation; other ones compare as `BINARY`.
  init(_ name: String?) {
    switch name?.asciiLowercased {
    case "nocase": self = .nocase
    case "rtrim": self = .rtrim
    default: self = .binary
    }
  }
}

extension Database {
  /// Returns how a column of a table compares strings.
  func keyCollation(ofColumn column: String, in table: String) -> KeyCollation {
    var name: UnsafePointer<CChar>?
    // It fails for views and common table expressions, whose columns compare as `BINARY` here.
    // https://www.sqlite.org/c3ref/table_column_metadata.html
    let code = sqlite3_table_column_metadata(
      sqliteConnection,
      nil,
      table,
      column,
      nil,
      &name,
      nil,
      nil,
      nil
    )
    return KeyCollation(code == SQLITE_OK ? name.map { String(cString: $0) } : nil)
  }
}
