/// A query with one row, whose only column says how many rows of a table match, or whether one
/// does: `SELECT count(*) FROM item WHERE …`, `SELECT EXISTS (SELECT * FROM item WHERE …)`.
struct NumberQuery: Hashable, Sendable {
  enum Subject: Sendable {
    case count
    case existence
  }

  let subject: Subject
  /// The query for the rows that are counted.
  let rowsSQL: String
  /// The column, with the number as its parameter.
  private let column: String
  private let isNamed: Bool

  /// Returns the query for the column, with the number as its parameter.
  ///
  /// - Parameter name: The name of the column in the original query.
  /// - Returns: The SQL.
  func valueSQL(columnName name: String) -> String {
    // SQLite names a column by its text, unless it has an alias.
    "SELECT \(column)" + (isNamed ? "" : " AS \(name.quotedDatabaseIdentifier)")
  }

  /// Reads a statement as such a query; `nil` if it is none.
  ///
  /// - Throws: ``PatchObstacle`` when the rows are not those of a plain `SELECT`.
  init?(_ sql: String) throws(PatchObstacle) {
    let text = Array(sql.utf8)
    guard let tokens = SQLToken.tokens(of: text), tokens.first?.keyword == "SELECT" else {
      return nil
    }
    if let start = Self.startOfRows(in: tokens) {
      try self.init(existence: tokens, start, text)
    } else {
      try self.init(count: tokens, text)
    }
  }

  private init?(existence tokens: [SQLToken], _ start: Int, _ text: [UInt8]) throws(PatchObstacle) {
    let depth = tokens[start - 1].depth
    guard
      let end = tokens[start...].firstIndex(where: { $0.depth == depth && $0.isSymbol(")") }),
      start < end, Self.isEnding(tokens[(end + 1)...])
    else { return nil }
    let rows = try SelectText(Self.text(tokens[start..<end], text))
    subject = .existence
    rowsSQL = try Self.rowsSQL(rows, list: rows.list)
    column = (start == 4 ? "NOT ?1 " : "?1 ") + Self.text(tokens[(end + 1)...], text)
    isNamed = tokens[(end + 1)...].last.map(Self.isName) ?? false
  }

  private init?(count tokens: [SQLToken], _ text: [UInt8]) throws(PatchObstacle) {
    guard tokens.count > 5, tokens[1].keyword == "COUNT", tokens[2].isSymbol("("),
      tokens[3].isSymbol("*") || tokens[3].kind == .number, tokens[4].isSymbol(")"),
      let end = tokens.firstIndex(where: { $0.depth == 0 && $0.keyword == "FROM" }), end > 4,
      Self.isEnding(tokens[5..<end])
    else { return nil }
    subject = .count
    rowsSQL = try Self.rowsSQL(SelectText(String(decoding: text, as: UTF8.self)), list: "1")
    column = "?1 " + Self.text(tokens[5..<end], text)
    isNamed = tokens[5..<end].last.map(Self.isName) ?? false
  }

  /// Returns the index of the token after `SELECT [NOT] EXISTS (`.
  private static func startOfRows(in tokens: [SQLToken]) -> Int? {
    let exists = tokens.count > 1 && tokens[1].keyword == "NOT" ? 2 : 1
    guard tokens.count > exists + 2, tokens[exists].keyword == "EXISTS",
      tokens[exists + 1].isSymbol("(")
    else { return nil }
    return exists + 2
  }

  /// Whether tokens only compare what comes before them with numbers, and give it a name.
  private static func isEnding(_ tokens: ArraySlice<SQLToken>) -> Bool {
    var rest = tokens
    while let first = rest.first, !isName(first) {
      guard first.kind == .number || ["<", "=", ">", "!"].contains(where: first.isSymbol) else {
        return false
      }
      rest.removeFirst()
    }
    // A name after an operator is no alias.
    guard
      rest.isEmpty || rest.startIndex == tokens.startIndex
        || tokens[rest.startIndex - 1].kind == .number
    else { return false }
    if rest.first?.keyword == "AS" { rest.removeFirst() }
    return rest.isEmpty || rest.count == 1 && rest.allSatisfy(isName)
  }

  private static func isName(_ token: SQLToken) -> Bool {
    token.kind == .word || token.kind == .quotedName
  }

  private static func rowsSQL(
    _ rows: SelectText,
    list: String
  ) throws(PatchObstacle) -> String {
    guard rows.limit == nil || rows.limit == "1", rows.offset == nil else { throw .countsWindow }
    guard !rows.cuts.isGrouped else { throw .groupsRows }
    let sql = "SELECT \(list) FROM \(rows.source)"
    return rows.condition.map { "\(sql) WHERE \($0)" } ?? sql
  }

  private static func text(_ tokens: ArraySlice<SQLToken>, _ text: [UInt8]) -> String {
    guard let first = tokens.first, let last = tokens.last else { return "" }
    return String(
      decoding: text[first.range.lowerBound..<last.range.upperBound],
      as: UTF8.self
    )
  }
}
