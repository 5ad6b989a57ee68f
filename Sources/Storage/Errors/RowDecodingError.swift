/// The error of a row whose value cannot be decoded as a Swift type.
public struct RowDecodingError: Error, Sendable, CustomStringConvertible {
  /// The reason of an error.
  public enum Reason: Hashable, Sendable {
    /// The row has no such column.
    case missingColumn
    /// Several columns have the name.
    case ambiguousColumn
    /// The column holds NULL, which the type cannot represent.
    case unexpectedNull
    /// The column holds a value that the type cannot represent.
    case mismatch
    /// A decoded type requested something that a row does not have, such as a nested container.
    case unsupported(String)
  }

  /// The reason of the error.
  public let reason: Reason
  /// The name of the column, or its index when the value was requested by index.
  public let column: String
  /// The Swift type that was requested.
  public let expectedType: String
  /// The value of the column, shortened to 40 characters; `nil` when the row has no such column.
  public let found: String?
  /// The names of the row's columns.
  public let availableColumns: [String]
  /// The SQL that returned the row, if it is known.
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
    self.expectedType = Self.name(of: expectedType)
    self.found = value.map(Self.shortened)
    self.availableColumns = availableColumns
    self.sql = sql
  }

  /// The name of a type: of the wrapped one for an optional, because NULL was not the problem.
  private static func name(of type: Any.Type) -> String {
    var name = String(describing: type)[...]
    while name.hasPrefix("Optional<") { name = name.dropFirst("Optional<".count).dropLast() }
    return String(name)
  }

  private static func shortened(_ value: DatabaseValue) -> String {
    let text = value.description
    return text.count <= 40 ? text : "\(value.storage.typeName) \(text.prefix(40))…"
  }

  /// One line with the problem, the column and the SQL.
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
      text = """
        column \(column) is NULL, which \(expectedType) cannot hold: use an optional, or coalesce() in \
        the SQL
        """
    case .mismatch:
      text = "column \(column) holds \(found ?? "?"), which is no \(expectedType)"
    case .unsupported(let what):
      text = "cannot decode \(expectedType) from a row: \(what)"
    }
    if let sql { text += " - in rows of \"\(sql)\"" }
    return text
  }
}

/// The error of a record that its table does not have.
///
///     do {
///       let player = try Player.find(db, key: 12)
///     } catch RecordError.recordNotFound(databaseTableName: let table, key: let key) {
///       // no row in player with id = 12
///     }
public enum RecordError: Error, Hashable, Sendable {
  /// The table has no row with the key, or a conflict made the database ignore the row.
  case recordNotFound(databaseTableName: String, key: [String: DatabaseValue])
}

extension RecordError: CustomStringConvertible {
  /// The table and the key.
  public var description: String {
    switch self {
    case .recordNotFound(let table, let key):
      let conditions = key.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
      return "no row in \(table) with \(conditions.joined(separator: " and "))"
    }
  }
}
