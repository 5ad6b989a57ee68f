/// The parts of an interpolated ``SQL`` literal.
public struct SQLInterpolation: StringInterpolationProtocol {
  var elements: [SQL.Element] = []

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(literalCapacity: Int, interpolationCount: Int) {
    elements.reserveCapacity(interpolationCount * 2 + 1)
  }

  /// Appends text between two interpolations.
  public mutating func appendLiteral(_ text: String) {
    if !text.isEmpty { elements.append(.text(text)) }
  }
}

// MARK: - SQL

extension SQLInterpolation {
  /// Embeds raw SQL text with its arguments.
  ///
  ///     "SELECT * FROM player WHERE \(sql: "name = ?", arguments: ["O'Brien"])"
  ///     // SELECT * FROM player WHERE name = 'O''Brien'
  public mutating func appendInterpolation(
    sql: String,
    arguments: StatementArguments = StatementArguments()
  ) {
    elements += SQL(sql: sql, arguments: arguments).elements
  }

  /// Embeds another piece of SQL.
  ///
  ///     let condition: SQL = "name = \("O'Brien")"
  ///     "SELECT * FROM player WHERE \(literal: condition)"
  ///     // SELECT * FROM player WHERE name = 'O''Brien'
  public mutating func appendInterpolation(literal: SQL) {
    elements += literal.elements
  }

  /// Embeds an identifier, in quotes.
  ///
  ///     "SELECT * FROM \(identifier: "order")"
  ///     // SELECT * FROM "order"
  public mutating func appendInterpolation(identifier: String) {
    elements.append(.identifier(identifier))
  }
}

// MARK: - Expressions, selections and orderings

extension SQLInterpolation {
  /// Embeds a value, a column or any other expression; `nil` is NULL.
  ///
  ///     "SELECT \(Column("score") + 100) FROM player WHERE name = \(name)"
  ///     // SELECT "score" + 100 FROM player WHERE name = 'O''Brien'
  public mutating func appendInterpolation(_ expression: (some SQLExpressible)?) {
    elements.append(.expression((expression?.sqlExpression ?? .null).node))
  }

  /// Embeds a request.
  ///
  ///     "SELECT * FROM player WHERE id IN (\(Award.select(\.playerID)))"
  ///     // SELECT * FROM player WHERE id IN (SELECT "playerID" FROM "award")
  ///
  ///     "SELECT * FROM player WHERE score = \(Player.select { max($0.score) })"
  ///     // SELECT * FROM player WHERE score = (SELECT MAX("score") FROM "player")
  ///
  /// The request is in parentheses where SQL needs them, and the literal does not have them: behind
  /// an operator, a comma, or a keyword such as `IN`, `EXISTS` and `FROM`, and as an argument of a
  /// function. Elsewhere, it is a query without parentheses: `\(request) UNION \(other)`,
  /// `INSERT INTO player \(request)`, `WITH best AS (\(request))`.
  ///
  /// A limit of a request never applies to another query: beside `UNION` and other compound
  /// operators, the request becomes `SELECT * FROM (…)`. So does one with an order that another
  /// query follows. The order of the last request sorts the rows of all queries, as SQL defines it.
  public mutating func appendInterpolation(_ request: some SQLSubqueryable) {
    elements.append(.subquery(request.sqlSubquery))
  }

  /// Embeds a column or an expression.
  ///
  ///     "SELECT \(Column("name")) FROM player"
  ///     // SELECT "name" FROM player
  public mutating func appendInterpolation(_ expression: some SQLSpecificExpressible) {
    elements.append(.expression(expression.node))
  }

  /// Embeds result columns.
  ///
  ///     "SELECT \(.allColumns) FROM player"
  ///     // SELECT * FROM player
  public mutating func appendInterpolation(_ selection: some SQLSelectable) {
    elements.append(.selection(selection.sqlSelection))
  }

  /// Embeds an ordering term.
  ///
  ///     "SELECT * FROM player ORDER BY \(Column("name").desc)"
  ///     // SELECT * FROM player ORDER BY "name" DESC
  public mutating func appendInterpolation(_ ordering: SQLOrdering) {
    elements.append(.ordering(ordering))
  }

  /// Embeds a value that is also a sequence, such as `Data`, as one value.
  ///
  ///     "SELECT id FROM player WHERE content = \(Data([1, 2]))"
  ///     // SELECT id FROM player WHERE content = x'0102'
  public mutating func appendInterpolation<Value: SQLExpressible & Sequence>(_ value: Value)
  where Value.Element: SQLExpressible {
    elements.append(.expression(value.node))
  }

  /// Embeds a part of a string, as one value.
  ///
  ///     "SELECT id FROM player WHERE name = \("@arthur".dropFirst())"
  ///     // SELECT id FROM player WHERE name = 'arthur'
  public mutating func appendInterpolation(_ text: Substring) {
    elements.append(.expression(String(text).node))
  }

  /// Embeds a list of values, in parentheses. `IN` and `NOT IN` accept an empty list.
  ///
  ///     "SELECT * FROM player WHERE id IN \([1, 2, 3])"
  ///     // SELECT * FROM player WHERE id IN (1, 2, 3)
  public mutating func appendInterpolation<Values: Sequence>(_ values: Values)
  where Values.Element: SQLExpressible {
    append(list: values.map(\.node))
  }

  /// Embeds a list of values and expressions, in parentheses.
  ///
  ///     let values: [any SQLExpressible] = [1, Column("bonus")]
  ///     "SELECT * FROM player WHERE score IN \(values)"
  ///     // SELECT * FROM player WHERE score IN (1, "bonus")
  public mutating func appendInterpolation(_ values: some Sequence<any SQLExpressible>) {
    append(list: values.map(\.node))
  }

  private mutating func append(list: [ExpressionNode]) {
    appendLiteral("(")
    for (index, value) in list.enumerated() {
      if index > 0 { appendLiteral(", ") }
      elements.append(.expression(value))
    }
    appendLiteral(")")
  }

  /// Embeds a column named after a coding key.
  ///
  ///     "SELECT \(CodingKeys.name) FROM player"
  ///     // SELECT "name" FROM player
  @_disfavoredOverload
  public mutating func appendInterpolation(_ key: some CodingKey) {
    elements.append(.expression(Column(key).node))
  }
}
