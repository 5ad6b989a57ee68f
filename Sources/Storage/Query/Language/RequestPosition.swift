/// The position of a request in an SQL literal, as the text around it tells.
///
///     "SELECT * FROM player WHERE id IN (\(ids)) AND score > \(maximum)"
///     // … WHERE id IN (SELECT …) AND score > (SELECT …)
///
/// A second pair of parentheses is an error in most positions, and has another meaning in `IN`,
/// where SQLite would compare with the first row only.
struct RequestPosition {
  /// The tokens of the statement before the request.
  private let before: [SQLToken]
  /// The token behind the request; `nil` at the end of the literal, and before another part of it.
  private let next: SQLToken?

  init(before text: String, after elements: some Sequence<SQL.Element>) {
    before = SQLToken.tokens(ofUnfinished: Array(text.utf8))
    next = Self.firstToken(of: elements)
  }

  private static func firstToken(of elements: some Sequence<SQL.Element>) -> SQLToken? {
    for element in elements {
      switch element {
      case .text(let text), .raw(let text, _):
        if let token = SQLToken.firstToken(of: Array(text.utf8)) { return token }
      default:
        return nil
      }
    }
    return nil
  }
}

// MARK: - Parentheses

extension RequestPosition {
  /// Whether the request is in place of a value, a table or a list, without parentheses around it.
  var needsParentheses: Bool {
    guard let last = before.last else { return isPartOfExpression }
    switch last.kind {
    case .symbol where last.isSymbol("("):
      return opensArguments(before.dropLast()) || isPartOfExpression
    case .symbol where last.isSymbol(")"):
      // INSERT INTO t(a) SELECT …, WITH t AS (…) SELECT …
      return false
    case .symbol:
      return true
    case .word where isTableName(last):
      return false
    case .word where last.keyword == "ALL":
      return !follows(compound: before[...])
    case .word where last.keyword == "AS":
      return !definesObject
    case .word:
      return Self.operandKeywords.contains(last.keyword)
    case .quotedName, .string, .number, .parameter:
      return false
    }
  }

  /// The keywords that a value, a table or a list follows.
  private static let operandKeywords: Set<String> = [
    "AND", "BETWEEN", "BY", "CASE", "DEFAULT", "DISTINCT", "ELSE", "ESCAPE", "EXISTS", "FROM",
    "GLOB", "HAVING", "IN", "IS", "JOIN", "LIKE", "LIMIT", "MATCH", "MATERIALIZED", "NOT", "OFFSET",
    "ON", "OR", "REGEXP", "RETURNING", "SELECT", "SET", "THEN", "VALUES", "WHEN", "WHERE",
  ]

  /// The keywords before a parenthesis that contains a query, besides the keywords of operands.
  private static let queryKeywords: Set<String> = ["ALL", "AS", "EXCEPT", "INTERSECT", "UNION"]

  /// The keywords that continue an expression.
  private static let operators: Set<String> = [
    "AND", "AS", "ASC", "BETWEEN", "COLLATE", "DESC", "ELSE", "END", "ESCAPE", "GLOB", "IN", "IS",
    "ISNULL", "LIKE", "MATCH", "NOT", "NOTNULL", "NULLS", "OR", "REGEXP", "THEN", "WHEN",
  ]

  /// Whether the text behind the request makes it a part of an expression or of a list.
  private var isPartOfExpression: Bool {
    guard let next else { return false }
    if case .symbol = next.kind { return !next.isSymbol(")") && !next.isSymbol(";") }
    return Self.operators.contains(next.keyword)
  }

  /// Whether the request follows the name of a table: `INSERT INTO "match" SELECT …`
  private func isTableName(_ token: SQLToken) -> Bool {
    guard let head = before.dropLast().last else { return false }
    return head.keyword == "INTO" || head.isSymbol(".")
  }

  /// Whether `AS` belongs to `CREATE TABLE` or `CREATE VIEW`, instead of a common table expression.
  private var definesObject: Bool {
    before.contains { $0.keyword == "CREATE" }
      && !before.contains { $0.keyword == "WITH" || $0.keyword == "SELECT" }
  }

  /// Whether a parenthesis behind the tokens contains arguments or a row, instead of a query.
  private func opensArguments(_ tokens: ArraySlice<SQLToken>) -> Bool {
    guard let head = tokens.last else { return false }
    switch head.kind {
    case .quotedName:
      return true
    case .word where head.keyword == "VALUES":
      return true
    case .word:
      // The name of a function, or CAST.
      return !Self.operandKeywords.contains(head.keyword)
        && !Self.queryKeywords.contains(head.keyword)
    case .symbol where head.isSymbol(","):
      return isRowOfValues(tokens)
    default:
      return false
    }
  }

  /// Whether a comma divides the rows of `VALUES (1), (2)`.
  private func isRowOfValues(_ tokens: ArraySlice<SQLToken>) -> Bool {
    guard let depth = tokens.last?.depth else { return false }
    let outside = tokens.reversed().drop {
      $0.depth > depth
        || $0.depth == depth && ($0.isSymbol(",") || $0.isSymbol(")") || $0.isSymbol("("))
    }
    return outside.first?.keyword == "VALUES"
  }
}

// MARK: - Compound queries

extension RequestPosition {
  private static let compoundOperators: Set<String> = ["EXCEPT", "INTERSECT", "UNION"]

  /// Whether the tokens end with an operator between two queries.
  private func follows(compound tokens: ArraySlice<SQLToken>) -> Bool {
    guard let last = tokens.last else { return false }
    if last.keyword == "ALL" { return tokens.dropLast().last?.keyword == "UNION" }
    return Self.compoundOperators.contains(last.keyword)
  }

  /// How a query is written without parentheses around it.
  enum Form {
    case plain
    /// `SELECT * FROM (…)`: SQL would apply some of its clauses to other queries, too.
    case nested
    /// `SELECT … FROM … WHERE 1`: SQLite would treat the `ON` of an upsert as a part of a join:
    /// https://www.sqlite.org/lang_upsert.html#parsing_ambiguity
    case filtered
  }

  /// Whether `ON CONFLICT` follows the request.
  var precedesUpsert: Bool { next?.keyword == "ON" }

  func form(of query: String) -> Form {
    guard let tokens = SQLToken.tokens(of: Array(query.utf8)) else { return .plain }
    let clauses = tokens.filter { $0.depth == 0 }.map(\.keyword)
    let has = Set(clauses).contains
    let startsWith = clauses.first == "WITH"
    let isEnded = has("LIMIT")
    let follower = next?.keyword ?? ""
    let isLeftPart = Self.compoundOperators.contains(follower)
    if follows(compound: before[...]) {
      let isCompound = !Self.compoundOperators.isDisjoint(with: clauses)
      if isCompound || isEnded || startsWith { return .nested }
    }
    if startsWith, belongsToWith { return .nested }
    if isLeftPart || follower == "ORDER", isEnded || has("ORDER") { return .nested }
    if follower == "LIMIT", isEnded { return .nested }
    // VALUES has no other clauses.
    let isList = clauses.last { $0 == "SELECT" || $0 == "VALUES" } == "VALUES"
    if isList, follower == "ORDER" || follower == "LIMIT" { return .nested }
    if precedesUpsert, let start = clauses.lastIndex(of: "FROM") {
      let ends: Set<String> = ["GROUP", "HAVING", "LIMIT", "ORDER", "WHERE", "WINDOW"]
      if ends.isDisjoint(with: clauses[start...]) { return .filtered }
    }
    return .plain
  }

  /// Whether the request is the query of a `WITH` clause that is written before it.
  private var belongsToWith: Bool {
    guard let last = before.last, last.isSymbol(")") else { return false }
    let starts: Set<String> = ["DELETE", "INSERT", "REPLACE", "SELECT", "UPDATE", "VALUES", "WITH"]
    let start = before.last { $0.depth == last.depth && starts.contains($0.keyword) }
    return start?.keyword == "WITH"
  }
}

extension SQLContext {
  /// Writes a request that a literal embeds.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - following: The parts of the literal behind it.
  /// - Throws: The errors of writing the request.
  mutating func append(
    request: SQLSubquery,
    before following: some Sequence<SQL.Element>
  ) throws {
    let position = RequestPosition(before: sql, after: following)
    guard !position.needsParentheses else { return try request.write(to: &self) }
    let start = sql.utf8.count
    try request.query.write(to: &self)
    let query = String(sql.utf8.dropFirst(start)) ?? ""
    switch position.form(of: query) {
    case .plain:
      break
    case .nested:
      insert("SELECT * FROM (", atOffset: start)
      append(position.precedesUpsert ? ") WHERE 1" : ")")
    case .filtered:
      append(" WHERE 1")
    }
  }
}

/// A part of a request that a closure makes from the connection, whenever the request is written.
///
/// Two parts are equal if they come from one call: closures can't be compared. So requests with
/// such a part are equal to their own copies only, and share no observation with other requests.
final class ConnectedPart<Content>: Hashable, Sendable {
  let content: @Sendable (Database) throws -> Content

  init(_ content: @escaping @Sendable (Database) throws -> Content) {
    self.content = content
  }

  static func == (left: ConnectedPart, right: ConnectedPart) -> Bool { left === right }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension SQLContext {
  /// Writes a text in place of a part that needs a connection, when there is no connection.
  mutating func appendUnconnected() {
    append("<when connected>")
  }
}
