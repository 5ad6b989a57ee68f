/// Where a full-text table has its texts.
enum FullTextContent {
  /// In the table itself.
  case own
  /// Nowhere: the table can be searched, but gives no text back.
  case nowhere
  /// In another table or view, whose changes are put into the index by somebody else.
  case external(String)
  /// In another table, whose triggers put its changes into the index.
  case synchronized(String)

  /// The name of the other table; empty for none.
  var tableName: String? {
    switch self {
    case .own: nil
    case .nowhere: ""
    case .external(let table), .synchronized(let table): table
    }
  }

  /// The table that is kept in step by triggers.
  var synchronizedTable: String? { if case .synchronized(let table) = self { table } else { nil } }
}

/// The triggers that put the changes of a table into the index of a full-text table.
struct FullTextTriggers {
  let fullTextTable: String
  /// Whether triggers that are there already are left as they are.
  var ifNotExists = false

  enum Moment: String, CaseIterable {
    case beforeUpdate = "BEFORE UPDATE"
    case beforeDelete = "BEFORE DELETE"
    case afterInsert = "AFTER INSERT"
    case afterUpdate = "AFTER UPDATE"
    case afterDelete = "AFTER DELETE"

    /// What the trigger's name ends with.
    var suffix: String {
      switch self {
      case .beforeUpdate: "bu"
      case .beforeDelete: "bd"
      case .afterInsert: "ai"
      case .afterUpdate: "au"
      case .afterDelete: "ad"
      }
    }
  }

  /// The name of a trigger, in quotes.
  private func name(_ moment: Moment) -> String {
    "__\(fullTextTable)_\(moment.suffix)".quotedDatabaseIdentifier
  }

  /// Creates a trigger.
  func create(_ moment: Moment, on table: String, _ statements: [String], _ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TRIGGER \(ifNotExists ? "IF NOT EXISTS " : "")\(name(moment)) \(moment.rawValue) ON \(table.quotedDatabaseIdentifier) BEGIN
        \(statements.map { "  \($0);" }.joined(separator: "\n"))
        END
        """
    )
  }

  /// Drops those that there are.
  func drop(_ db: Database) throws {
    for moment in Moment.allCases {
      try db.execute(sql: "DROP TRIGGER IF EXISTS \(name(moment))")
    }
  }
}

extension Database {
  /// What triggers call the row id of a table.
  func rowIDName(ofTable table: String) throws -> String {
    let key = try primaryKey(table)
    guard key.tableHasRowID else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          a full-text table cannot be synchronized with \(table), which is WITHOUT ROWID: its rows are \
          known by their row ids
          """
      )
    }
    return (key.rowIDColumn ?? "rowid").quotedDatabaseIdentifier
  }
}
