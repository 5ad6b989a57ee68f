/// A type that can be selected: columns, expressions, ``AllColumns``.
public protocol SQLSelectable {
  /// The result columns.
  var sqlSelection: SQLSelection { get }
}

/// One or several columns of a result.
public struct SQLSelection: SQLSelectable, Hashable, Sendable {
  indirect enum Kind: Hashable, Sendable {
    case expression(ExpressionNode)
    case alias(ExpressionNode, String)
    case allColumns
    case allColumnsExcluding(Set<String>)
    case literal(SQL)
    case owned(SQLSelection, by: TableReference)
  }

  let kind: Kind

  init(_ kind: Kind) {
    self.kind = kind
  }

  /// The selection itself.
  public var sqlSelection: SQLSelection { self }

  /// Whether the selection computes one value of many rows.
  var isAggregate: Bool {
    switch kind {
    case .expression(let expression), .alias(let expression, _): expression.part.isAggregate
    case .owned(let selection, _): selection.isAggregate
    // What raw SQL does, nobody knows.
    case .literal: true
    case .allColumns, .allColumnsExcluding: false
    }
  }

  /// The name of the column, for a selection that is just one.
  var column: String? {
    switch kind {
    case .expression(let expression), .alias(let expression, _):
      (expression.part as? ColumnReference)?.name
    case .owned, .literal, .allColumns, .allColumnsExcluding: nil
    }
  }

  /// Writes the result columns, separated by commas.
  func write(to context: inout SQLContext) throws {
    switch kind {
    case .expression(let expression):
      try expression.write(to: &context)
    case .alias(let expression, let name):
      try expression.writeOperand(to: &context)
      context.append(" AS ")
      context.append(identifier: name)
    case .allColumns:
      context.appendQualifier()
      context.append("*")
    case .allColumnsExcluding(let excluded):
      try context.appendColumns(excluding: excluded)
    case .literal(let sql):
      try context.append(sql)
    case .owned(let selection, let table):
      try context.with(owner: table) { try selection.write(to: &$0) }
    }
  }
}

// MARK: - All columns

/// All columns of a table.
///
///     Player.select(.allColumns, .rowID)
///     // SELECT *, "rowid" FROM "player"
public struct AllColumns: SQLSelectable, Hashable, Sendable {
  /// Makes a selection of all columns.
  public init() {}

  /// The selection.
  public var sqlSelection: SQLSelection { SQLSelection(.allColumns) }
}

/// All columns of a table but some.
///
///     Player.select(.allColumns(excluding: ["photo"]))
///     // SELECT "id", "name" FROM "player"
public struct AllColumnsExcluding: SQLSelectable, Hashable, Sendable {
  let names: Set<String>

  /// Makes a selection of all columns but those of the given names.
  public init(_ names: some Sequence<String>) {
    self.names = Set(names)
  }

  /// The selection.
  public var sqlSelection: SQLSelection { SQLSelection(.allColumnsExcluding(names)) }
}

extension SQLSelectable where Self == AllColumns {
  /// All columns of the table.
  ///
  ///     Player.select(.allColumns)
  ///     // SELECT * FROM "player"
  public static var allColumns: AllColumns { AllColumns() }
}

extension SQLSelectable where Self == AllColumnsExcluding {
  /// All columns of the table but those of the given names.
  ///
  ///     Player.select(.allColumns(excluding: ["photo"]))
  ///     // SELECT "id", "name" FROM "player"
  public static func allColumns(excluding names: some Sequence<String>) -> AllColumnsExcluding {
    AllColumnsExcluding(names)
  }
}

extension SQLSelectable where Self == Column {
  /// The row id, which most tables have without declaring it.
  ///
  ///     Player.select(.allColumns, .rowID)
  ///     // SELECT *, "rowid" FROM "player"
  public static var rowID: Column { Column.rowID }
}

// MARK: - Names

extension SQLSpecificExpressible {
  /// The expression as a result column with a name of its own.
  ///
  ///     Player.select { max($0.score).forKey("maxScore") }
  ///     // SELECT MAX("score") AS "maxScore" FROM "player"
  public func forKey(_ name: String) -> SQLSelection {
    SQLSelection(.alias(node, name))
  }

  /// The expression as a result column with the name of a coding key.
  ///
  ///     Player.select { max($0.score).forKey(CodingKeys.maxScore) }
  ///     // SELECT MAX("score") AS "maxScore" FROM "player"
  public func forKey(_ key: some CodingKey) -> SQLSelection {
    forKey(key.stringValue)
  }
}
