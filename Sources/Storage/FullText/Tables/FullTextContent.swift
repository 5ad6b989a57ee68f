/// Where a full-text table stores its texts.
enum FullTextContent {
  /// In the table itself.
  case own
  /// Nowhere: the table can be searched, but returns no texts.
  case nowhere
  /// In another table or view. The application updates the index when it changes.
  case external(String)
  /// In another table. Triggers update the index when it changes.
  case synchronized(String)

  /// - Parameter tableName: The name of the other table; empty when the texts are not stored, `nil`
  ///   when the full-text table stores them.
  init(tableName: String?) {
    switch tableName {
    case nil: self = .own
    case "": self = .nowhere
    case let table?: self = .external(table)
    }
  }

  /// The name of the other table; empty when the texts are not stored, `nil` when the full-text
  /// table stores them.
  var tableName: String? {
    switch self {
    case .own: nil
    case .nowhere: ""
    case .external(let table), .synchronized(let table): table
    }
  }

  /// The table whose changes reach the index by triggers.
  var synchronizedTable: String? { if case .synchronized(let table) = self { table } else { nil } }
}

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

/// A call of an auxiliary function of a full-text table, such as `OFFSETS("document")`.
struct FullTextFunction: ExpressionPart {
  let name: String
  let arguments: [ExpressionNode]

  var isOperand: Bool { true }
  var operands: [ExpressionNode] { arguments }

  func write(to context: inout SQLContext) throws {
    guard let table = context.mainTable else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "\(name) belongs to no table")
    }
    context.append("\(name)(")
    // The argument is the hidden column that has the name of the table, which an alias does not
    // change.
    if context.tables.count > 1 || table.alias != nil { context.append(table.qualifier) }
    context.append(identifier: table.tableName)
    for argument in arguments {
      context.append(", ")
      try argument.write(to: &context)
    }
    context.append(")")
  }
}

extension SQLExpression {
  static func fullText(
    _ name: String,
    _ arguments: [any SQLExpressible] = []
  ) -> SQLExpression {
    SQLExpression(FullTextFunction(name: name, arguments: arguments.map(\.node)))
  }
}
