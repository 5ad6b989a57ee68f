/// A value of a row that does not fit the Swift type it was asked for.
public struct RowDecodingError: Error, Sendable, CustomStringConvertible {
  /// What was wrong.
  public enum Reason: Hashable, Sendable {
    /// The row has no such column.
    case missingColumn
    /// Several columns have the name.
    case ambiguousColumn
    /// The column holds NULL, and the type has no place for it.
    case unexpectedNull
    /// The column holds a value that the type cannot stand for.
    case mismatch
    /// A fetched type asked for something that a row does not have, such as a nested container.
    case unsupported(String)
  }

  /// What was wrong.
  public let reason: Reason
  /// The name of the column, or its index when it was asked for by index.
  public let column: String
  /// The Swift type that was wanted.
  public let expectedType: String
  /// What the column holds, shortened to 40 characters; `nil` when there is no such column.
  public let found: String?
  /// The columns that the row has.
  public let availableColumns: [String]
  /// The SQL that gave the row, when it is known.
  public let sql: String?

  init(
    reason: Reason,
    column: String,
    expectedType: Any.Type,
    value: DatabaseValue?,
    availableColumns: [String],
    sql: String?
  ) {
    self.reason = reason
    self.column = column
    self.expectedType = String(describing: expectedType)
    self.found = value.map(Self.shortened)
    self.availableColumns = availableColumns
    self.sql = sql
  }

  private static func shortened(_ value: DatabaseValue) -> String {
    let text = value.description
    return text.count <= 40 ? text : "\(value.storage.typeName) \(text.prefix(40))…"
  }

  /// One line: what was wrong, where, and the SQL.
  public var description: String {
    var text: String
    switch reason {
    case .missingColumn:
      text = "no column \(column): the row has \(availableColumns.joined(separator: ", "))"
    case .ambiguousColumn:
      text = """
        several columns are called \(column): the row has \(availableColumns.joined(separator: ", ")); \
        give each a name of its own with AS
        """
    case .unexpectedNull:
      text = "column \(column) is NULL, which \(expectedType) cannot hold"
    case .mismatch:
      text = "column \(column) holds \(found ?? "?"), which is no \(expectedType)"
    case .unsupported(let what):
      text = "cannot decode \(expectedType) from a row: \(what)"
    }
    if let sql { text += " - in rows of \"\(sql)\"" }
    return text
  }
}
