/// A piece of SQL, with the values, columns and requests that it embeds.
///
///     let name = "O'Brien"
///     let query: SQL = "UPDATE player SET name = \(name) WHERE id = \(12)"
///     try db.execute(literal: query)
///     // UPDATE player SET name = ? WHERE id = ?
///
/// Interpolated values are never spliced into the text: values become arguments, and names are
/// quoted. An `SQL` can hold a whole statement, or be an expression, a selection or an ordering in
/// a request.
///
/// `SQL` is a value type: requests built from equal `SQL` are equal.
public struct SQL: Hashable, Sendable {
  /// One part of the SQL.
  enum Element: Hashable, Sendable {
    case text(String)
    case raw(String, StatementArguments)
    case identifier(String)
    case expression(ExpressionNode)
    case selection(SQLSelection)
    case ordering(SQLOrdering)
    case subquery(SQLSubquery)
    case table(TableReference)
    case definition(CommonTable)

    static func == (left: Element, right: Element) -> Bool {
      switch (left, right) {
      // The text may hold literals, which SQLite compares by their bytes.
      case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
      case (.raw(let left, let arguments), .raw(let right, let others)):
        left.hasSameBytes(as: right) && arguments == others
      case (.identifier(let left), .identifier(let right)): left == right
      case (.expression(let left), .expression(let right)): left == right
      case (.selection(let left), .selection(let right)): left == right
      case (.ordering(let left), .ordering(let right)): left == right
      case (.subquery(let left), .subquery(let right)): left == right
      case (.table(let left), .table(let right)): left == right
      case (.definition(let left), .definition(let right)): left == right
      case (.text, _), (.raw, _), (.identifier, _), (.expression, _), (.selection, _),
        (.ordering, _), (.subquery, _), (.table, _), (.definition, _):
        false
      }
    }

    func write(to context: inout SQLContext) throws {
      switch self {
      case .text(let text): context.append(text)
      case .raw(let text, let arguments): try context.append(text, arguments: arguments)
      case .identifier(let name): context.append(identifier: name)
      case .expression(let expression): try expression.write(to: &context)
      case .selection(let selection): try selection.write(to: &context)
      case .ordering(let ordering): try ordering.write(to: &context)
      case .subquery(let subquery): try subquery.write(to: &context)
      case .table(let table): try table.write(to: &context)
      case .definition(let table): try table.write(to: &context)
      }
    }
  }

  private(set) var elements: [Element]

  init(elements: [Element]) {
    self.elements = elements
  }

  /// Creates SQL from a text with parameters.
  ///
  ///     SQL(sql: "score >= ?", arguments: [1000])
  ///     // score >= 1000
  public init(sql: String, arguments: StatementArguments = StatementArguments()) {
    elements = arguments.isEmpty ? [.text(sql)] : [.raw(sql, arguments)]
  }

  /// Creates SQL from an expression.
  ///
  ///     SQL(Column("score") + 1)
  ///     // "score" + 1
  public init(_ expression: some SQLSpecificExpressible) {
    elements = [.expression(expression.node)]
  }

  /// Creates SQL from a typed expression.
  ///
  ///     SQL(TypedColumn<Int>("score") + 1)
  ///     // "score" + 1
  public init(_ expression: some TypedExpressible) {
    elements = [.expression(expression.node)]
  }

  /// Creates SQL from a request.
  ///
  ///     "SELECT * FROM player WHERE id IN (" + SQL(Award.select(\.playerID)) + ")"
  ///     // SELECT * FROM player WHERE id IN (SELECT "playerID" FROM "award")
  ///
  /// The request is in parentheses where SQL needs them: see
  /// ``SQLInterpolation/appendInterpolation(_:)-(SQLSubqueryable)``.
  public init(_ request: some SQLSubqueryable) {
    elements = [.subquery(request.sqlSubquery)]
  }

  /// Whether the SQL is empty.
  public var isEmpty: Bool {
    elements.allSatisfy { element in
      switch element {
      case .text(let text), .raw(let text, _): text.isEmpty
      default: false
      }
    }
  }

  /// Returns the text and the arguments.
  ///
  ///     let (sql, arguments) = try SQL("score >= \(1000)").build(db)
  ///     // "score >= ?", [1000]
  ///
  /// - Throws: ``DatabaseError`` when the SQL embeds something that the schema does not contain.
  public func build(_ db: Database) throws -> (sql: String, arguments: StatementArguments) {
    var context = SQLContext(db)
    try context.append(self)
    return (context.sql, context.arguments)
  }
}

extension SQL {
  /// The request that the SQL consists of, if it has no other part.
  var onlyRequest: SQLSubquery? {
    var request: SQLSubquery?
    for element in elements {
      switch element {
      case .subquery(let subquery) where request == nil: request = subquery
      case .text(let text) where text.allSatisfy(\.isWhitespace): break
      default: return nil
      }
    }
    return request
  }
}

// MARK: - Literals

extension SQL: ExpressibleByStringInterpolation {
  /// Creates SQL from a string literal.
  public init(stringLiteral text: String) {
    self.init(elements: [.text(text)])
  }

  /// Creates SQL from an interpolated string literal.
  public init(stringInterpolation: SQLInterpolation) {
    self.init(elements: stringInterpolation.elements)
  }
}

// MARK: - Concatenation

extension SQL {
  /// Returns the concatenation of two pieces of SQL.
  ///
  ///     SQL("SELECT * FROM player ") + SQL("WHERE id = \(12)")
  ///     // SELECT * FROM player WHERE id = 12
  public static func + (left: SQL, right: SQL) -> SQL {
    SQL(elements: left.elements + right.elements)
  }

  /// Appends a piece of SQL.
  ///
  ///     query += "WHERE id = \(12)"
  ///     // … WHERE id = 12
  public static func += (left: inout SQL, right: SQL) {
    left.elements += right.elements
  }

  /// Appends a piece of SQL.
  ///
  ///     query.append(literal: "WHERE id = \(12)")
  ///     // … WHERE id = 12
  public mutating func append(literal: SQL) {
    elements += literal.elements
  }

  /// Appends a text with parameters.
  ///
  ///     query.append(sql: "WHERE id = ?", arguments: [12])
  ///     // … WHERE id = 12
  public mutating func append(sql: String, arguments: StatementArguments = StatementArguments()) {
    elements += SQL(sql: sql, arguments: arguments).elements
  }
}

extension Sequence<SQL> {
  /// Returns the concatenation of the pieces, with a separator between them.
  ///
  ///     [SQL("a = \(1)"), SQL("b = \(2)")].joined(separator: " AND ")
  ///     // a = 1 AND b = 2
  public func joined(separator: String = "") -> SQL {
    var joined: [SQL.Element] = []
    for piece in self {
      if !separator.isEmpty, !joined.isEmpty { joined.append(.text(separator)) }
      joined += piece.elements
    }
    return SQL(elements: joined)
  }
}

// MARK: - In requests

extension SQL: SQLSpecificExpressible, SQLCondition {
  /// The SQL as an expression.
  ///
  ///     Player.select { SQL("DATE(\($0.createdAt))").sqlExpression }
  ///     // SELECT DATE("createdAt") FROM "player"
  public var sqlExpression: SQLExpression { SQLExpression(RawExpression(sql: self)) }

  /// The SQL as one or more result columns.
  public var sqlSelection: SQLSelection { SQLSelection(.literal(self)) }

  /// The SQL as one or more ordering terms.
  public var sqlOrdering: SQLOrdering { SQLOrdering(.literal(self)) }
}

/// Returns parameters for a number of values, separated by commas.
///
///     let marks = databaseQuestionMarks(count: 3)
///     let sql = "SELECT * FROM player WHERE id IN (\(marks))"
///     // SELECT * FROM player WHERE id IN (?,?,?)
///
/// - Parameter count: The number of values.
/// - Returns: The parameters: `?,?,?`.
public func databaseQuestionMarks(count: Int) -> String {
  Array(repeating: "?", count: count).joined(separator: ",")
}
