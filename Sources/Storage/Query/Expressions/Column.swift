/// A column, known by its name.
///
///     enum Columns: String, ColumnExpression {
///       case id, name, score
///     }
public protocol ColumnExpression: SQLSpecificExpressible, SQLCondition {
  /// The name of the column, without quotes.
  var name: String { get }
}

extension ColumnExpression {
  /// The column, in quotes.
  ///
  ///     Column("order").sqlExpression
  ///     // "order"
  public var sqlExpression: SQLExpression { SQLExpression(ColumnReference(name: name)) }

  /// The column as a name of the statement's result, that belongs to no table: in a request that joins
  /// tables, it is written without one.
  ///
  ///     request.annotated { count($0.id).forKey("total") }.order { _ in Column("total").detached }
  ///     // SELECT *, COUNT("id") AS "total" FROM "player" ORDER BY "total"
  public var detached: SQLExpression {
    SQLExpression(ColumnReference(name: name, isDetached: true))
  }
}

extension ColumnExpression where Self: RawRepresentable<String> {
  /// The raw value.
  public var name: String { rawValue }
}

/// A column of a table, that accepts values of any type.
///
///     Player.filter(Column("score") >= 1000)
///     // SELECT * FROM "player" WHERE "score" >= 1000
///
/// See ``TypedColumn`` for columns that accept values of one type only.
public struct Column: ColumnExpression, Sendable {
  /// The name of the column, without quotes.
  public let name: String

  /// Makes a column of its name.
  ///
  ///     Column("order")
  ///     // "order"
  public init(_ name: String) {
    self.name = name
  }

  /// Makes a column of a coding key.
  ///
  ///     static let id = Column(CodingKeys.id)
  ///     // "id"
  public init(_ key: some CodingKey) {
    name = key.stringValue
  }

  /// The row id, which most tables have without declaring it.
  ///
  ///     Player.select(.allColumns, .rowID)
  ///     // SELECT *, "rowid" FROM "player"
  public static let rowID = Column("rowid")

  /// How well a row of a full-text table matches: the best rows have the lowest rank.
  ///
  ///     Document.matching(pattern).order(.rank)
  ///     // SELECT * FROM "document" WHERE "document" MATCH 'sqlite' ORDER BY "rank"
  public static let rank = Column("rank")
}

/// A column of the table that the context writes about.
struct ColumnReference: ExpressionPart {
  let name: String
  var isDetached = false

  var isOperand: Bool { true }

  func write(to context: inout SQLContext) throws {
    if isDetached {
      context.append(identifier: name)
    } else {
      try context.append(column: name)
    }
  }
}

/// An expression whose columns belong to one table of a statement.
struct OwnedExpression: ExpressionPart {
  let expression: ExpressionNode
  let table: TableReference

  var isOperand: Bool { expression.part.isOperand }
  var operands: [ExpressionNode] { [expression] }
  var negation: SQLExpression? {
    expression.part.negation.map {
      SQLExpression(OwnedExpression(expression: $0.node, table: table))
    }
  }

  func write(to context: inout SQLContext) throws {
    try context.with(owner: table) { try expression.write(to: &$0) }
  }
}
