internal import CWellspringSQLite

/// How a column compares strings.
enum KeyCollation: Hashable, Sendable {
  case binary
  case nocase
  case rtrim
  /// A collation that was added to the connection.
  case named(String)
  /// The column belongs to a view, a common table expression or a subquery. SQLite knows its
  /// collation.
  case unknown

  init(_ name: String) {
    switch name.asciiLowercased {
    case "binary": self = .binary
    case "nocase": self = .nocase
    case "rtrim": self = .rtrim
    default: self = .named(name)
    }
  }

  /// Whether strings can be compared without SQLite.
  var isBuiltIn: Bool {
    switch self {
    case .binary, .nocase, .rtrim: true
    case .named, .unknown: false
    }
  }
}

extension Database {
  /// Returns how a column of a table compares strings, as far as the schema says so.
  func keyCollation(ofColumn column: String, in table: TableReference) -> KeyCollation {
    guard let table = table.recordTableName else { return .unknown }
    var name: UnsafePointer<CChar>?
    // It fails for views. https://www.sqlite.org/c3ref/table_column_metadata.html
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
    guard code == SQLITE_OK, let name else { return .unknown }
    return KeyCollation(String(cString: name))
  }

  /// Returns how a column of a view, a common table expression or a subquery compares strings.
  ///
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when several collations may be the one of
  ///   the column.
  fileprivate func explainedCollation(
    ofColumn column: String,
    in table: TableReference
  ) throws -> KeyCollation {
    // The program compares the column with this text.
    let text = "the collation of a key"
    var context = SQLContext(self)
    if let definition = table.definition {
      try WithClause(tables: [definition]).write(to: &context)
    }
    context.append("SELECT \(column.quotedDatabaseIdentifier) = '\(text)' FROM ")
    try table.write(to: &context)
    let program = try ExplainedProgram(
      explaining: context.sql,
      arguments: context.arguments,
      self
    )
    let registers = program.instructions.filter { $0.text == text }.map(\.p2)
    let comparison = program.instructions.first { instruction in
      instruction.flags != nil
        && (registers.contains(instruction.p1) || registers.contains(instruction.p3))
    }
    guard let found = comparison?.collation else { return .binary }
    let collation = KeyCollation(found)
    guard !collation.isBuiltIn else { return collation }
    // `EXPLAIN` cuts long names.
    let names = try String.fetchAll(self, sql: "SELECT name FROM pragma_collation_list").filter {
      $0.utf8.prefix(18).elementsEqual(found.utf8)
    }
    guard names.count == 1 else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          the column \(column) of \(table.name) compares texts by a collation that cannot be told \
          from others: \(names.sorted().joined(separator: ", "))
          """
      )
    }
    return .named(names[0])
  }
}

/// The strings of a key column that were compared by its collation.
///
/// Of all strings that the collation takes as equal, the first one represents the others.
final class CollatedTexts {
  private let column: String
  private let table: TableReference
  private let db: Database
  private var collation: KeyCollation
  /// The strings that represent others, in the order of the collation.
  private var sorted: [String] = []
  private var representatives: [DatabaseValue: DatabaseValue] = [:]

  init(of column: Prefetch.Column, in table: TableReference, _ db: Database) {
    self.column = column.destination
    self.table = table
    self.db = db
    collation = column.collation
  }

  /// Returns the value that represents all equal strings.
  ///
  /// - Throws: ``DatabaseError`` when SQLite cannot compare strings.
  func representative(of text: String) throws -> DatabaseValue {
    let value = text.databaseValue
    if let known = representatives[value] { return known }
    // The region of the request does not contain these statements.
    let found = try db.unrecorded {
      if collation == .unknown {
        collation = try db.explainedCollation(ofColumn: column, in: table)
      }
      guard case .named(let name) = collation else { return value.normalized(collation) }
      return try find(text, name).databaseValue
    }
    representatives[value] = found
    return found
  }

  private func find(_ text: String, _ collation: String) throws -> String {
    let name = collation.quotedDatabaseIdentifier
    let comparison = try db.cachedStatement(
      sql: "SELECT (?1 > ?2 COLLATE \(name)) - (?1 < ?2 COLLATE \(name))"
    )
    var range = sorted.startIndex..<sorted.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let order = try Int.fetchOne(comparison, arguments: [text, sorted[middle]]) ?? 0
      if order == 0 { return sorted[middle] }
      range = order < 0 ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    sorted.insert(text, at: range.lowerBound)
    return text
  }
}
