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
  /// Creates the triggers that put the changes of a table into a full-text table, and fills that.
  ///
  /// The statements are made of the columns of the full-text table, and of what triggers call the row id of the
  /// other table, all in quotes.
  func synchronize(
    fullTextTable: String,
    withTable table: String,
    configuration: VirtualTableConfiguration,
    statements: (_ columns: [String], _ rowID: String) -> KeyValuePairs<
      FullTextTriggers.Moment, [String]
    >
  ) throws {
    let triggers = FullTextTriggers(
      fullTextTable: fullTextTable,
      ifNotExists: configuration.ifNotExists
    )
    let rowID = try rowIDName(ofTable: table)
    let columns = try columns(in: fullTextTable).map(\.name.quotedDatabaseIdentifier)
    for (moment, statements) in statements(columns, rowID) {
      try triggers.create(moment, on: table, statements, self)
    }
    try rebuild(fullTextTable: fullTextTable)
  }

  /// What triggers call the row id of a table.
  private func rowIDName(ofTable table: String) throws -> String {
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
