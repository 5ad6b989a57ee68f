/// A type whose values can be part of an SQL expression: columns, expressions, and all values that
/// a database stores.
public protocol SQLExpressible {
  /// The value as an expression.
  var sqlExpression: SQLExpression { get }
}

/// A type that exists only to build SQL: a column, an expression. Swift's operators build SQL when
/// an operand has such a type.
///
///     Column("score") + 1
///     // "score" + 1
public protocol SQLSpecificExpressible: SQLFunctionArgument, SQLSelectable, SQLOrderingTerm {}

extension SQLSpecificExpressible {
  /// The expression as a result column.
  ///
  ///     Player.select { $0.score * 2 }
  ///     // SELECT "score" * 2 FROM "player"
  public var sqlSelection: SQLSelection { SQLSelection(.expression(node)) }

  /// The expression as an ordering term.
  ///
  ///     Player.order { $0.score * 2 }
  ///     // SELECT * FROM "player" ORDER BY "score" * 2
  public var sqlOrdering: SQLOrdering { SQLOrdering(.term(node)) }
}

/// An SQL expression: a value that SQLite computes.
///
///     let bonus: SQLExpression = Column("score") * 2 + 10
///     // ("score" * 2) + 10
///
/// Build expressions from columns and values with Swift's operators, and with functions such as
/// ``length(_:)->SQLExpression``. An expression is a value that belongs to no connection.
///
/// `==` between two expressions is SQL's operator, so this type is not `Equatable`. Requests are.
public struct SQLExpression: Sendable {
  let node: ExpressionNode

  init(_ part: some ExpressionPart) {
    node = ExpressionNode(part: part)
  }

  init(_ node: ExpressionNode) {
    self.node = node
  }
}

extension SQLExpression: SQLSpecificExpressible, SQLCondition {
  /// The expression itself.
  public var sqlExpression: SQLExpression { self }
}

/// A type that can be a condition of a filter and an operand of `&&`, `||` and `!`.
///
///     Player.filter { $0.isActive && $0.score > 10 }
///     // SELECT * FROM "player" WHERE "isActive" AND ("score" > 10)
///
/// All untyped expressions are conditions, as SQLite reads any value as true or false. A typed
/// column is a condition if its values are `Bool`.
///
/// `Bool` itself is not a condition: otherwise, `==` between two requests would be Swift's
/// operator.
public protocol SQLCondition: SQLExpressible {}

/// A type that SQL functions accept: a column or an expression, typed or untyped.
///
///     length(Column("name"))
///     // LENGTH("name")
///
/// A plain value is not an argument: `length("name")` remains free for other functions.
public protocol SQLFunctionArgument: SQLExpressible {}
