internal import CommandLineSupport
internal import Storage

/// Suggestions for tables and columns that SQLite has not found in a file.
extension Suggestion {
  private static func columns(of table: String, _ db: Database) -> [String] {
    // A view may not compile.
    (try? db.declaredColumns(of: table).map(\.name)) ?? []
  }

  /// Returns the name that SQLite has not found, by its message.
  private static func missing(_ error: DatabaseError) -> (isTable: Bool, name: String)? {
    error.message?.firstMatch(of: /^no such (column|table): (?:\w+\.)?(.+)$/)
      .map { ($0.1 == "table", String($0.2)) }
  }

  /// Returns the table that SQLite has not found; `nil` for another error.
  static func missingTable(_ error: DatabaseError) -> String? {
    missing(error).flatMap { $0.isTable ? $0.name : nil }
  }

  /// Runs a body, whose errors are improved.
  static func improvingErrors<Value>(_ db: Database, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw improved(error, db)
    }
  }

  /// Returns the error of a statement, with a suggestion for the name that SQLite has not found, if
  /// there is one. Files are open for reading only.
  static func improved(_ error: any Error, _ db: Database) -> any Error {
    if (error as? DatabaseError)?.extendedResultCode == .SQLITE_READONLY {
      return ToolError(ErrorMessage.writes)
    }
    guard let error = error as? DatabaseError, let message = error.message,
      let missing = missing(error)
    else { return error }
    let sql = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')"
    let tables = (try? String.fetchAll(db, sql: sql)) ?? []
    let names = missing.isTable ? tables : tables.flatMap { columns(of: $0, db) }
    let hint = hint(for: missing.name, in: names)
    return hint.isEmpty ? error : ToolError(message + hint)
  }
}
