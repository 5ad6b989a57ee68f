internal import CWellspringSQLite

/// A row of a dump, valid until the dump moves to the next row.
public struct DumpedRow {
  private let statement: OpaquePointer

  /// The names of the columns.
  public let columnNames: [String]

  /// - Parameters:
  ///   - statement: A statement with a row.
  ///   - hiddenCount: The number of the last columns that the row does not show.
  init(_ statement: Statement, hiddenCount: Int) {
    self.statement = statement.sqliteStatement
    columnNames = Array(statement.columnNames.dropLast(hiddenCount))
  }

  /// The number of columns.
  public var count: Int { columnNames.count }

  /// The value of a column.
  public subscript(index: Int) -> DatabaseValue {
    ColumnValue(sqliteValue: sqlite3_column_value(statement, Int32(index))).databaseValue
  }

  /// Returns the value of a column as SQLite converts it to text; `nil` for NULL.
  ///
  /// Bytes that are not UTF-8 are replaced by `U+FFFD`.
  public func text(at index: Int) -> String? {
    let index = Int32(index)
    guard sqlite3_column_type(statement, index) != SQLITE_NULL else { return nil }
    guard let text = sqlite3_column_text(statement, index) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, index))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }
}
