/// A type that can be selected: a column, an expression or ``AllColumns``.
public protocol SQLSelectable {
  /// The result columns.
  var sqlSelection: SQLSelection { get }
}

/// One or more result columns.
public struct SQLSelection: SQLSelectable, Hashable, Sendable {
  indirect enum Kind: Hashable, Sendable {
    case expression(ExpressionNode)
    case alias(ExpressionNode, String)
    case allColumns
    case allColumnsExcluding(Set<String>)
    case literal(SQL)
    case owned(SQLSelection, by: TableReference)
    case connected(ConnectedPart<[SQLSelection]>)
  }

  let kind: Kind

  init(_ kind: Kind) {
    self.kind = kind
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @inline(never)
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

  /// The selection itself.
  public var sqlSelection: SQLSelection { self }

  /// Whether the selection computes one value from many rows.
  var isAggregate: Bool {
    switch kind {
    case .expression(let expression), .alias(let expression, _): expression.part.isAggregate
    case .owned(let selection, _): selection.isAggregate
    // Raw SQL, and the columns that a closure makes, may contain an aggregate.
    case .literal, .connected: true
    case .allColumns, .allColumnsExcluding: false
    }
  }

  /// The name of the column, if the selection is a plain column.
  var column: String? {
    switch kind {
    case .expression(let expression), .alias(let expression, _):
      (expression.part as? ColumnReference)?.name
    case .owned, .literal, .allColumns, .allColumnsExcluding, .connected: nil
    }
  }

  /// The name that the selection gives to its column, which conditions can refer to.
  var alias: String? {
    switch kind {
    case .alias(_, let name): name
    case .owned(let selection, _): selection.alias
    case .expression, .literal, .allColumns, .allColumnsExcluding, .connected: nil
    }
  }

  /// Writes the result columns, separated by commas.
  func write(to context: inout SQLContext) throws {
    switch kind {
    case .expression(let expression):
      try expression.write(to: &context)
    case .alias(let expression, let name):
      try expression.write(to: &context)
      context.append(alias: name)
    case .allColumns:
      context.appendQualifier()
      context.append("*")
    case .allColumnsExcluding(let excluded):
      try context.appendColumns(excluding: excluded)
    case .literal(let sql):
      try context.append(sql)
    case .owned(let selection, let table):
      try context.with(owner: table) { try selection.write(to: &$0) }
    case .connected:
      // With a connection, the clause writes the columns instead.
      context.appendUnconnected()
    }
  }
}

// MARK: - Columns that need the connection

extension SQLSelection {
  /// Whether a closure makes the columns.
  fileprivate var isConnected: Bool {
    switch kind {
    case .connected: true
    case .owned(let selection, _): selection.isConnected
    case .expression, .alias, .allColumns, .allColumnsExcluding, .literal: false
    }
  }

  /// Returns the columns that the closure makes; for another selection, the selection itself.
  fileprivate func connected(_ db: Database) throws -> [SQLSelection] {
    switch kind {
    case .connected(let part): try part.content(db)
    case .owned(let selection, let table):
      try selection.connected(db).map { SQLSelection(.owned($0, by: table)) }
    case .expression, .alias, .allColumns, .allColumnsExcluding, .literal: [self]
    }
  }
}

extension [SQLSelection] {
  /// Returns the columns, with the columns that closures make in place of the closures.
  func connected(_ db: Database?) throws -> [SQLSelection] {
    guard let db, contains(where: \.isConnected) else { return self }
    return try flatMap { try $0.connected(db) }
  }
}

extension SQLSelection {
  /// Writes the result columns, each one with its name: `"id" AS "id"`.
  func writeNamed(to context: inout SQLContext) throws {
    switch kind {
    case .owned(let selection, let table):
      try context.with(owner: table) { try selection.writeNamed(to: &$0) }
    case .allColumns:
      try context.appendColumns(excluding: [], areNamed: true)
    case .allColumnsExcluding(let excluded):
      try context.appendColumns(excluding: excluded, areNamed: true)
    case .expression, .alias, .literal, .connected:
      try write(to: &context)
      if case .expression = kind, let column { context.append(alias: column) }
    }
  }
}

extension SQLSpecificExpressible {
  /// Names the expression as a result column.
  ///
  ///     Player.select { max($0.score).forKey("maxScore") }
  ///     // SELECT MAX("score") AS "maxScore" FROM "player"
  public func forKey(_ name: String) -> SQLSelection {
    SQLSelection(.alias(node, name))
  }

  /// Names the expression as a result column, after a coding key.
  ///
  ///     Player.select { max($0.score).forKey(CodingKeys.maxScore) }
  ///     // SELECT MAX("score") AS "maxScore" FROM "player"
  public func forKey(_ key: some CodingKey) -> SQLSelection {
    forKey(key.stringValue)
  }
}

/// All columns of a table.
///
///     Player.select(.allColumns, .rowID)
///     // SELECT *, "rowid" FROM "player"
public struct AllColumns: SQLSelectable, Hashable, Sendable {
  /// Creates a selection of all columns.
  public init() {}

  /// The selection.
  public var sqlSelection: SQLSelection { SQLSelection(.allColumns) }
}

extension SQLSelectable where Self == AllColumns {
  /// All columns of the table.
  ///
  ///     Player.select(.allColumns)
  ///     // SELECT * FROM "player"
  public static var allColumns: AllColumns { AllColumns() }
}

/// All columns of a table except some.
///
///     Player.select(.allColumns(excluding: ["photo"]))
///     // SELECT "id", "name" FROM "player"
public struct AllColumnsExcluding: SQLSelectable, Hashable, Sendable {
  let names: Set<String>

  /// Creates a selection of all columns except the named ones.
  public init(_ names: some Sequence<String>) {
    self.names = Set(names)
  }

  /// The selection.
  public var sqlSelection: SQLSelection { SQLSelection(.allColumnsExcluding(names)) }
}

extension SQLSelectable where Self == AllColumnsExcluding {
  /// Selects all columns of the table except the named ones.
  ///
  ///     Player.select(.allColumns(excluding: ["photo"]))
  ///     // SELECT "id", "name" FROM "player"
  public static func allColumns(excluding names: some Sequence<String>) -> AllColumnsExcluding {
    AllColumnsExcluding(names)
  }
}

/// `SELECT DISTINCT "id", "name"`
struct SelectClause: Hashable, Sendable {
  var selection: [SQLSelection]
  var isDistinct = false
  /// Columns that the rows do not show, after the columns of joined tables.
  var hidden: [SQLSelection] = []

  /// Writes the clause, with the columns of joined tables after its own.
  ///
  /// SQLite makes a subquery of tables in parentheses, and renames columns of it with equal names.
  /// So their columns are selected one by one, under their own names.
  func write(to context: inout SQLContext, from: FromClause) throws {
    let joined = from.flatJoins.flatMap(\.selection)
    let enclosed = from.enclosedTables
    context.append(isDistinct ? "SELECT DISTINCT " : "SELECT ")
    let all = try (selection + joined + hidden).connected(context.db)
    // SQL does not allow an empty selection.
    if all.isEmpty { context.append("NULL") }
    for (index, selection) in all.enumerated() {
      if index > 0 { context.append(", ") }
      if case .owned(_, let table) = selection.kind, enclosed.contains(table) {
        try selection.writeNamed(to: &context)
      } else {
        try selection.write(to: &context)
      }
    }
  }
}
