/// The triggers that copy the changes of a table to the index of a full-text table.
struct FullTextTriggers {
  let fullTextTable: String
  /// Whether existing triggers are kept.
  var ifNotExists = false

  enum Moment: String, CaseIterable {
    case beforeUpdate = "BEFORE UPDATE"
    case beforeDelete = "BEFORE DELETE"
    case afterInsert = "AFTER INSERT"
    case afterUpdate = "AFTER UPDATE"
    case afterDelete = "AFTER DELETE"

    /// The suffix of the trigger's name.
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

  /// Returns the quoted name of a trigger.
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

  /// Drops the triggers that exist.
  func drop(_ db: Database) throws {
    for moment in Moment.allCases {
      try db.execute(sql: "DROP TRIGGER IF EXISTS \(name(moment))")
    }
  }
}
