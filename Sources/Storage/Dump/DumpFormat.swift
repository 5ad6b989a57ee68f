internal import CWellspringSQLite

/// A text format for the rows of a query.
///
/// `.debug()`, `.list()`, `.line()`, `.quote()` and `.json()` are the formats of the `sqlite3`
/// shell. https://www.sqlite.org/cli.html#changing_output_formats
public protocol DumpFormat: Sendable {
  /// Writes a row.
  ///
  /// - Throws: Any error, which ends the dump.
  mutating func write(_ row: DumpedRow, to stream: inout DumpStream) throws

  /// Writes the text after the last row. It is also called when no row was written.
  mutating func finish(to stream: inout DumpStream)
}

extension DumpFormat {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public mutating func finish(to stream: inout DumpStream) {}
}

/// The output of a dump: another stream, or the standard output.
public struct DumpStream: TextOutputStream {
  private let base: (any TextOutputStream)?
  private var text = ""
  private var hasMargin = false
  private var isEmpty = true

  /// - Parameter base: Receives the text; `nil` for the standard output.
  init(_ base: (any TextOutputStream)?) {
    self.base = base
  }

  /// Writes text.
  public mutating func write(_ string: String) {
    guard !string.isEmpty else { return }
    if hasMargin, !isEmpty { text += "\n" }
    hasMargin = false
    isEmpty = false
    text += string
  }

  /// Writes text and ends the line.
  public mutating func writeLine(_ line: String) {
    write(line)
    text += "\n"
    isEmpty = false
  }

  /// Separates the text before from the text after by an empty line.
  public mutating func margin() { hasMargin = true }

  /// Writes the collected text to the base stream, or to the standard output.
  mutating func flush() {
    defer { text = "" }
    guard var base else { return print(text, terminator: "") }
    base.write(text)
  }
}

/// Whether a dump shows the names of tables above their rows.
public enum DumpTableHeader: Hashable, Sendable {
  /// Shows the names when there are several tables.
  case automatic
  /// Always shows the names.
  case always

  func isShown(over tableCount: Int) -> Bool { self == .always || tableCount > 1 }
}

/// GRDB's name of ``DumpTableHeader``.
public typealias DumpTableHeaderOptions = DumpTableHeader

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
