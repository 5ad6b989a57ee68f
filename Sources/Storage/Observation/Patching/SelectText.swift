/// The clauses of a `SELECT` over one table or several joined ones, as they are written.
///
/// The text only says where clauses begin and end. The compiled program proves that the statement
/// does what its text says: see ``PatchAnalysis``.
struct SelectText {
  /// The clauses that say which rows a statement has, and in which order.
  struct Clauses: Hashable {
    /// The result columns.
    let list: String
    /// The tables, with their aliases, and how they are joined.
    let source: String
    let condition: String?
    let group: String?
    let having: String?
    let order: String?
  }

  let clauses: Clauses
  /// The tables, in the order of the text.
  let tables: [SelectedTable]
  let limit: String?
  let offset: String?
  /// The subqueries of the result columns, the condition and the order.
  let subqueries: [SubqueryText]
  /// How many parameters the statement has. They are numbered in the clauses: `?1`.
  let parameterCount: Int
  /// The whole statement.
  let content: NumberedText
  let cuts: SelectCuts

  var list: String { clauses.list }
  var source: String { clauses.source }
  var condition: String? { clauses.condition }
  var order: String? { clauses.order }

  /// Cuts a statement, or the text of a subquery, into its clauses.
  init(_ sql: String, isSubquery: Bool = false) throws(PatchObstacle) {
    guard let content = NumberedText(sql), content.tokens.first?.keyword == "SELECT" else {
      throw .isNoSelect
    }
    cuts = try SelectCuts(content.tokens, mayBeDistinct: isSubquery)
    clauses = Self.clauses(content, cuts, replacing: [])
    tables = try SelectedTable.tables(in: content, cuts.source)
    limit = cuts.limit.map { content.text($0) }
    offset = cuts.offset.map { content.text($0) }
    parameterCount = content.parameterCount
    subqueries = isSubquery ? [] : try SubqueryText.subqueries(in: content, cuts)
    self.content = content
  }

  /// Returns the clauses with other texts in place of some tokens.
  func clauses(replacing replacements: [NumberedText.Replacement]) -> Clauses {
    Self.clauses(content, cuts, replacing: replacements)
  }

  /// Returns the clauses with a parameter in place of each subquery, and two values in place of a
  /// subquery that follows `IN`: SQLite would look for a single value without a loop.
  func outline(parameter: Int) -> Clauses {
    clauses(
      replacing: subqueries.map { subquery in
        if case .membership = subquery.use {
          return (subquery.range, "(?\(parameter), 1 + ?\(parameter))")
        }
        return (subquery.range, "?\(parameter)")
      }
    )
  }

  private static func clauses(
    _ content: NumberedText,
    _ cuts: SelectCuts,
    replacing replacements: [NumberedText.Replacement]
  ) -> Clauses {
    Clauses(
      list: content.text(cuts.list, replacing: replacements),
      source: content.text(cuts.source, replacing: replacements),
      condition: cuts.condition.map { content.text($0, replacing: replacements) },
      group: cuts.group.map { content.text($0, replacing: replacements) },
      having: cuts.having.map { content.text($0, replacing: replacements) },
      order: cuts.order.map { content.text($0, replacing: replacements) }
    )
  }

  /// Whether each name in the `ORDER BY` is the name of a function or of a qualified column: other
  /// names, and numbers, may mean columns of the result.
  var orderNamesOnlyQualifiedColumns: Bool {
    let tokens = cuts.order.map { Array(content.tokens[$0]) } ?? []
    return tokens.indices.allSatisfy { index in
      let token = tokens[index]
      switch token.kind {
      case .number: return false
      case .word where Self.orderWords.contains(token.keyword): return true
      case .word, .quotedName:
        let before = index > 0 ? tokens[index - 1] : nil
        let after = index + 1 < tokens.count ? tokens[index + 1] : nil
        return before?.isSymbol(".") == true || after?.isSymbol(".") == true
          || after?.isSymbol("(") == true || before?.keyword == "COLLATE"
      case .parameter, .string, .symbol: return true
      }
    }
  }

  /// Words in an `ORDER BY` that are not names.
  private static let orderWords: Set<String> = [
    "AND", "ASC", "COLLATE", "DESC", "FIRST", "IS", "LAST", "NOT", "NULL", "NULLS", "OR",
  ]
}

/// The clauses of a `SELECT`, as ranges of its tokens.
struct SelectCuts {
  private let tokens: [SQLToken]
  private(set) var list = 0..<0
  private(set) var source = 0..<0
  private(set) var condition: Range<Int>?
  private(set) var group: Range<Int>?
  private(set) var having: Range<Int>?
  private(set) var order: Range<Int>?
  private(set) var limit: Range<Int>?
  private(set) var offset: Range<Int>?

  /// Whether it has groups.
  var isGrouped: Bool { group != nil || having != nil }

  init(_ tokens: [SQLToken], mayBeDistinct: Bool) throws(PatchObstacle) {
    self.tokens = tokens
    try find(mayBeDistinct: mayBeDistinct)
  }

  private mutating func find(mayBeDistinct: Bool) throws(PatchObstacle) {
    var clauses: [(keyword: String, index: Int)] = []
    for (index, token) in tokens.enumerated() where token.depth == 0 {
      switch token.keyword {
      case "DISTINCT", "ALL": guard mayBeDistinct else { throw .groupsRows }
      case "WINDOW": throw .groupsRows
      case "UNION", "INTERSECT", "EXCEPT": throw .isCompound
      case "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT":
        clauses.append((token.keyword, index))
      default: break
      }
    }
    let positions: [String: Int] = [
      "FROM": 0, "WHERE": 1, "GROUP": 2, "HAVING": 3, "ORDER": 4, "LIMIT": 5,
    ]
    let order = clauses.compactMap { positions[$0.keyword] }
    guard clauses.first?.keyword == "FROM", zip(order, order.dropFirst()).allSatisfy(<) else {
      throw .isNoSelect
    }
    list = 1..<clauses[0].index
    for (number, clause) in clauses.enumerated() {
      let end = number + 1 < clauses.count ? clauses[number + 1].index : tokens.count
      try set(clause.keyword, clause.index + 1, end)
    }
    guard !list.isEmpty, !source.isEmpty else { throw .isNoSelect }
  }

  private mutating func set(_ keyword: String, _ start: Int, _ end: Int) throws(PatchObstacle) {
    guard start < end else { throw .isNoSelect }
    switch keyword {
    case "FROM": source = start..<end
    case "WHERE": condition = start..<end
    case "HAVING": having = start..<end
    case "GROUP", "ORDER":
      guard tokens[start].keyword == "BY", start + 1 < end else { throw .isNoSelect }
      if keyword == "GROUP" { group = start + 1..<end } else { order = start + 1..<end }
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
