/// A type that exists only to build SQL: a column, an expression. Swift's operators build SQL when
/// one of their operands has such a type.
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
