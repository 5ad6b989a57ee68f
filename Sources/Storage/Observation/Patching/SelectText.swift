/// The clauses of a `SELECT` over one table or several joined ones, as they are written.
///
/// The text only says where clauses begin and end. Whether the statement is what it seems is proven
/// from its compiled program: see ``PatchAnalysis``.
struct SelectText {
  /// The result columns.
  let list: String
  /// The tables, with their aliases, and how they are joined.
  let source: String
  /// The tables, in the order of the text.
  let tables: [SelectedTable]
  let condition: String?
  let order: String?
  let limit: String?
  let offset: String?
  private let orderTokens: [SQLToken]
  /// How many parameters the statement has. They are numbered in the clauses: `?1`.
  let parameterCount: Int

  /// Cuts a statement into its clauses.
  init(_ sql: String) throws(PatchObstacle) {
    let text = Array(sql.utf8)
    guard let tokens = SQLToken.tokens(of: text), let first = tokens.first,
      first.keyword == "SELECT"
    else { throw .isNoSelect }
    var cuts = Cuts(tokens)
    try cuts.find()
    var numbering = ParameterNumbering(text)
    let parameters = numbering.parameters(in: tokens)
    func clause(_ range: Range<Int>?) -> String? {
      range.map { Self.text($0, of: tokens, in: text, parameters) }
    }
    list = clause(cuts.list) ?? ""
    source = clause(cuts.source) ?? ""
    tables = try SelectedTable.tables(in: tokens, cuts.source, text) { clause($0) ?? "" }
    orderTokens = cuts.order.map { Array(tokens[$0]) } ?? []
    condition = clause(cuts.condition)
    order = clause(cuts.order)
    limit = clause(cuts.limit)
    offset = clause(cuts.offset)
    parameterCount = numbering.highest
  }

  /// Whether each name in the `ORDER BY` is that of a function or a qualified column: other ones,
  /// and numbers, may stand for columns of the result.
  var orderNamesOnlyQualifiedColumns: Bool {
    orderTokens.indices.allSatisfy { index in
      let token = orderTokens[index]
      switch token.kind {
      case .number: return false
      case .word where Self.orderWords.contains(token.keyword): return true
      case .word, .quotedName:
        let before = index > 0 ? orderTokens[index - 1] : nil
        let after = index + 1 < orderTokens.count ? orderTokens[index + 1] : nil
        return before?.isSymbol(".") == true || after?.isSymbol(".") == true
          || after?.isSymbol("(") == true || before?.keyword == "COLLATE"
      case .parameter, .string, .symbol: return true
      }
    }
  }

  /// Words in an `ORDER BY` that are no names.
  private static let orderWords: Set<String> = [
    "AND", "ASC", "COLLATE", "DESC", "FIRST", "IS", "LAST", "NOT", "NULL", "NULLS", "OR",
  ]

  private static func text(
    _ range: Range<Int>,
    of tokens: [SQLToken],
    in text: [UInt8],
    _ parameters: [Int: Int]
  ) -> String {
    guard let last = range.last else { return "" }
    var result: [UInt8] = []
    var place = tokens[range.lowerBound].range.lowerBound
    for index in range {
      guard let number = parameters[index] else { continue }
      result += text[place..<tokens[index].range.lowerBound]
      result += Array("?\(number)".utf8)
      place = tokens[index].range.upperBound
    }
    result += text[place..<tokens[last].range.upperBound]
    return String(decoding: result, as: UTF8.self)
  }
}

/// The places of the clauses, by tokens.
private struct Cuts {
  private let tokens: [SQLToken]
  private(set) var list = 0..<0
  private(set) var source = 0..<0
  private(set) var condition: Range<Int>?
  private(set) var order: Range<Int>?
  private(set) var limit: Range<Int>?
  private(set) var offset: Range<Int>?

  init(_ tokens: [SQLToken]) {
    self.tokens = tokens
  }

  mutating func find() throws(PatchObstacle) {
    if tokens.dropFirst().contains(where: { $0.keyword == "SELECT" || $0.keyword == "VALUES" }) {
      throw .hasSubquery
    }
    var clauses: [(keyword: String, place: Int)] = []
    for (index, token) in tokens.enumerated() where token.depth == 0 {
      switch token.keyword {
      case "DISTINCT", "ALL", "GROUP", "HAVING", "WINDOW": throw .groupsRows
      case "UNION", "INTERSECT", "EXCEPT": throw .isCompound
      case "FROM", "WHERE", "ORDER", "LIMIT": clauses.append((token.keyword, index))
      default: break
      }
    }
    let places: [String: Int] = ["FROM": 0, "WHERE": 1, "ORDER": 2, "LIMIT": 3]
    let order = clauses.compactMap { places[$0.keyword] }
    guard clauses.first?.keyword == "FROM", zip(order, order.dropFirst()).allSatisfy(<) else {
      throw .isNoSelect
    }
    list = 1..<clauses[0].place
    for (number, clause) in clauses.enumerated() {
      let end = number + 1 < clauses.count ? clauses[number + 1].place : tokens.count
      try set(clause.keyword, clause.place + 1, end)
    }
    guard !list.isEmpty, !source.isEmpty else { throw .isNoSelect }
  }

  private mutating func set(_ keyword: String, _ start: Int, _ end: Int) throws(PatchObstacle) {
    guard start < end else { throw .isNoSelect }
    switch keyword {
    case "FROM": source = start..<end
    case "WHERE": condition = start..<end
    case "ORDER":
      guard tokens[start].keyword == "BY", start + 1 < end else { throw .isNoSelect }
      order = start + 1..<end
    default:
      let separator = (start..<end).first {
        tokens[$0].depth == 0 && (tokens[$0].keyword == "OFFSET" || tokens[$0].isSymbol(","))
      }
      guard let separator else {
        limit = start..<end
        return
      }
      guard start < separator, separator + 1 < end else { throw .isNoSelect }
      let (before, after) = (start..<separator, separator + 1..<end)
      let isOffset = tokens[separator].keyword == "OFFSET"
      limit = isOffset ? before : after
      offset = isOffset ? after : before
    }
  }
}

/// Numbers parameters as SQLite does: https://www.sqlite.org/lang_expr.html#varparam
private struct ParameterNumbering {
  private let text: [UInt8]
  private var named: [[UInt8]: Int] = [:]
  private(set) var highest = 0

  init(_ text: [UInt8]) {
    self.text = text
  }

  /// Returns the numbers of the parameters, by the indexes of their tokens.
  mutating func parameters(in tokens: [SQLToken]) -> [Int: Int] {
    var numbers: [Int: Int] = [:]
    for (index, token) in tokens.enumerated() where token.kind == .parameter {
      numbers[index] = number(of: Array(text[token.range]))
    }
    return numbers
  }

  private mutating func number(of name: [UInt8]) -> Int {
    if name.count > 1, name[0] == UInt8(ascii: "?") {
      let number = Int(String(decoding: name.dropFirst(), as: UTF8.self)) ?? 0
      highest = max(highest, number)
      return number
    }
    if name.count > 1, let known = named[name] { return known }
    highest += 1
    if name.count > 1 { named[name] = highest }
    return highest
  }
}
