/// A type that can be a term of `ORDER BY`: a column, an expression, or an ``SQLOrdering`` such as
/// ``SQLSpecificExpressible/desc``.
public protocol SQLOrderingTerm {
  /// The ordering term.
  var sqlOrdering: SQLOrdering { get }
}

/// A term of `ORDER BY`.
public struct SQLOrdering: SQLOrderingTerm, Hashable, Sendable {
  enum Direction: String {
    case unstated = ""
    case ascending = " ASC"
    case descending = " DESC"
    case ascendingNullsLast = " ASC NULLS LAST"
    case descendingNullsFirst = " DESC NULLS FIRST"

    var reversed: Direction {
      switch self {
      case .unstated, .ascending: .descending
      case .descending: .ascending
      case .ascendingNullsLast: .descendingNullsFirst
      case .descendingNullsFirst: .ascendingNullsLast
      }
    }
  }

  indirect enum Kind: Hashable, Sendable {
    case term(ExpressionNode, Direction = .unstated)
    case literal(SQL, isReversed: Bool = false)
    case owned(SQLOrdering, by: TableReference)
    case list(OrderingList, isReversed: Bool = false)
  }

  let kind: Kind

  init(_ kind: Kind) {
    self.kind = kind
  }

  /// The term itself.
  public var sqlOrdering: SQLOrdering { self }

  /// The term in the opposite direction. The opposite of an ``SQL`` literal cannot be written: only
  /// SQLite knows its direction.
  var reversed: SQLOrdering {
    switch kind {
    case .term(let expression, let direction):
      return SQLOrdering(.term(expression, direction.reversed))
    case .owned(let ordering, let table):
      return SQLOrdering(.owned(ordering.reversed, by: table))
    case .list(let list, let isReversed):
      return SQLOrdering(.list(list, isReversed: !isReversed))
    case .literal(let sql, let isReversed):
      return SQLOrdering(.literal(sql, isReversed: !isReversed))
    }
  }

  /// Whether the term computes one value from many rows.
  var isAggregate: Bool {
    switch kind {
    case .term(let expression, _): expression.part.isAggregate
    case .owned(let ordering, _): ordering.isAggregate
    // Raw SQL, and the terms that a closure makes, may contain an aggregate.
    case .literal, .list(.connected, _): true
    case .list: false
    }
  }

  /// Writes the term.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the term is a reversed ``SQL`` literal.
  func write(to context: inout SQLContext) throws {
    switch kind {
    case .term(let expression, let direction):
      try expression.write(to: &context)
      context.append(direction.rawValue)
    case .literal(let sql, let isReversed):
      try context.append(sql)
      guard isReversed else { break }
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          an order that is written in SQL cannot be reversed: give its expressions as \
          SQL("…").sqlExpression.desc, or write the opposite order
          """
      )
    case .owned(let ordering, let table):
      try context.with(owner: table) { try ordering.write(to: &$0) }
    case .list(let list, _):
      // With a connection, the clause writes the terms instead.
      context.append(list.draft)
    }
  }
}

extension SQLSpecificExpressible {
  /// The ascending order: smallest value first.
  ///
  ///     Player.order { $0.score.asc }
  ///     // SELECT * FROM "player" ORDER BY "score" ASC
  public var asc: SQLOrdering { SQLOrdering(.term(node, .ascending)) }

  /// The descending order: largest value first.
  ///
  ///     Player.order { $0.score.desc }
  ///     // SELECT * FROM "player" ORDER BY "score" DESC
  public var desc: SQLOrdering { SQLOrdering(.term(node, .descending)) }

  /// The ascending order, with NULL at the end instead of the beginning.
  ///
  ///     Player.order { $0.score.ascNullsLast }
  ///     // SELECT * FROM "player" ORDER BY "score" ASC NULLS LAST
  public var ascNullsLast: SQLOrdering { SQLOrdering(.term(node, .ascendingNullsLast)) }

  /// The descending order, with NULL at the beginning instead of the end.
  ///
  ///     Player.order { $0.score.descNullsFirst }
  ///     // SELECT * FROM "player" ORDER BY "score" DESC NULLS FIRST
  public var descNullsFirst: SQLOrdering {
    SQLOrdering(.term(node, .descendingNullsFirst))
  }
}
