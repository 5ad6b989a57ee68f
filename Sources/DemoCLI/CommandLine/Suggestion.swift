internal import Storage

/// The name that a misspelled one may stand for.
enum Suggestion {
  /// Returns ` (did you mean NAME?)` for the nearest of some names; an empty text if none is near.
  static func hint(for word: String, in names: some Sequence<String>) -> String {
    nearest(to: word, in: names).map { " (did you mean \($0)?)" } ?? ""
  }

  /// Returns the name that differs least from a word, if it differs by few characters.
  static func nearest(to word: String, in names: some Sequence<String>) -> String? {
    // Of names that are not typed by hand, only a part is compared.
    let word = word.lowercased().prefix(60)
    // Of a name of two letters, each other one is near.
    let limit = word.count < 3 ? 0 : max(1, word.count / 3)
    let distances = names.map { name in
      (name, distance(Array(word), Array(name.lowercased().prefix(60))))
    }
    let best = distances.min { $0.1 < $1.1 }
    return best.flatMap { $0.1 <= limit ? $0.0 : nil }
  }

  /// Returns the number of characters to insert, remove, replace or swap with the next one.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var cost = min(
          last[column] + (isSame ? 0 : 1),
          last[column + 1] + 1,
          current[column] + 1
        )
        let isSwap =
          row > 0 && column > 0 && left[row] == right[column - 1] && left[row - 1] == right[column]
        if isSwap { cost = min(cost, beforeLast[column - 1] + 1) }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }

  private static func columns(of table: String, _ db: Database) -> [String] {
    // A view may not compile.
    let sql = "PRAGMA table_xinfo(\(table.quotedDatabaseIdentifier))"
    let rows = (try? Row.fetchAll(db, sql: sql)) ?? []
    return rows.compactMap { $0.schemaText("name") }
  }

  /// Returns what SQLite has not found, by its message.
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
