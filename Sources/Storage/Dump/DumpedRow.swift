internal import CWellspringSQLite

/// A row as dumps show it, valid until the next one.
public struct DumpedRow {
  private let statement: OpaquePointer

  /// The names of the columns.
  public let columnNames: [String]

  init(_ statement: Statement) {
    self.statement = statement.sqliteStatement
    columnNames = statement.columnNames
  }

  /// How many columns there are.
  public var count: Int { columnNames.count }

  /// A value.
  public subscript(index: Int) -> DatabaseValue {
    ColumnValue(sqliteValue: sqlite3_column_value(statement, Int32(index))).databaseValue
  }

  /// The text that SQLite makes of a value; `nil` for NULL. What is no UTF-8 is replaced by `U+FFFD`.
  public func text(at index: Int) -> String? {
    let index = Int32(index)
    guard sqlite3_column_type(statement, index) != SQLITE_NULL else { return nil }
    guard let text = sqlite3_column_text(statement, index) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, index))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }
}
