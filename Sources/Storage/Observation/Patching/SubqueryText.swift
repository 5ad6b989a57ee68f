/// A subquery in the result columns, the condition or the order of a `SELECT`, as it is written.
struct SubqueryText {
  enum Use: Equatable {
    /// Its first row is a value.
    case value
    /// `EXISTS (SELECT …)`.
    case existence
    /// `column [NOT] IN (SELECT …)`; without a column, something else is looked for.
    case membership(of: Range<Int>?, isNegated: Bool)
  }

  let use: Use
  /// The indexes of its tokens in the statement, with the parentheses, and with `EXISTS`.
  let range: Range<Int>
  let select: SelectText
  /// Whether its value may depend on the order in which it reads its rows.
  var dependsOnOrder: Bool { use == .value && !countsRows }

  /// Whether it is a `count`.
  private var countsRows: Bool {
    let list = select.content.tokens[select.cuts.list]
    return !select.cuts.isGrouped && select.limit == nil && list.count > 3
      && list.first?.keyword == "COUNT" && list.dropFirst().first?.isSymbol("(") == true
      && list.dropFirst(2).allSatisfy { $0.depth > 0 || $0.isSymbol(")") }
      && list.count { $0.depth == 0 && $0.isSymbol(")") } == 1
  }
}

extension SubqueryText {
  /// Finds the subqueries of a statement.
  ///
  /// - Throws: ``PatchObstacle`` where one stands elsewhere, or has subqueries itself.
  static func subqueries(
    in content: NumberedText,
    _ cuts: SelectCuts
  ) throws(PatchObstacle) -> [SubqueryText] {
    let clauses = [cuts.list, cuts.condition ?? 0..<0, cuts.order ?? 0..<0]
    let tokens = content.tokens
    var subqueries: [SubqueryText] = []
    var index = 1
    while index < tokens.count {
      defer { index += 1 }
      guard ["SELECT", "VALUES", "WITH"].contains(tokens[index].keyword) else { continue }
      let open = index - 1
      guard tokens[index].keyword == "SELECT", tokens[open].isSymbol("("),
        let clause = clauses.first(where: { $0.contains(index) }), clause.contains(open),
        let end = tokens[index...].firstIndex(where: {
          $0.isSymbol(")") && $0.depth == tokens[open].depth
        })
      else { throw .hasSubquery }
      let inner = content.text(index..<end)
      let select: SelectText
      do { select = try SelectText(inner, isSubquery: true) } catch { throw .hasSubquery }
      guard
        !select.content.tokens.dropFirst().contains(where: {
          ["SELECT", "VALUES", "WITH"].contains($0.keyword)
        })
      else { throw .hasSubquery }
      let use = use(at: open, clause, content)
      let start = use == .existence ? open - 1 : open
      subqueries.append(SubqueryText(use: use, range: start..<end + 1, select: select))
      index = end
    }
    return subqueries
  }

  /// Returns the use of a subquery, by the token before its parenthesis.
  private static func use(at open: Int, _ clause: Range<Int>, _ content: NumberedText) -> Use {
    let tokens = content.tokens
    guard open > clause.lowerBound else { return .value }
    switch tokens[open - 1].keyword {
    case "EXISTS": return .existence
    case "IN":
      let isNegated = open - 2 >= clause.lowerBound && tokens[open - 2].keyword == "NOT"
      let end = open - (isNegated ? 2 : 1)
      return .membership(of: column(before: end, clause, content), isNegated: isNegated)
    default: return .value
    }
  }

  /// Finds the column that is looked for, if it stands alone.
  private static func column(
    before end: Int,
    _ clause: Range<Int>,
    _ content: NumberedText
  ) -> Range<Int>? {
    let tokens = content.tokens
    guard end > clause.lowerBound, tokens[end - 1].isName else { return nil }
    var start = end - 1
    if start - 2 >= clause.lowerBound, tokens[start - 1].isSymbol("."), tokens[start - 2].isName {
      start -= 2
    }
    let depth = tokens[start].depth
    // `BETWEEN a AND b IN (…)` compares something else.
    guard !tokens[clause].contains(where: { $0.keyword == "BETWEEN" && $0.depth == depth }) else {
      return nil
    }
    guard start > clause.lowerBound else { return start..<end }
    let before = tokens[start - 1]
    let isAlone =
      before.isSymbol("(") || before.isSymbol(",")
      || ["AND", "CASE", "ELSE", "NOT", "OR", "THEN", "WHEN"].contains(before.keyword)
    return isAlone ? start..<end : nil
  }

  /// Returns the columns of the query around it, once for each time that it names one.
  ///
  /// - Parameter qualifiers: The qualifiers of that query's tables.
  /// - Returns: The columns with the indexes of their tokens.
  /// - Throws: ``PatchObstacle`` where one stands anywhere but in a condition.
  func outerColumns(_ qualifiers: Set<String>) throws(PatchObstacle) -> [QualifiedColumn] {
    let columns = select.columns(of: qualifiers.subtracting(select.tables.map(\.comparedQualifier)))
    // An aggregate function with such an argument would belong to the outer query.
    guard columns.allSatisfy(\.isTermOfCondition) else { throw .hasSubquery }
    return columns
  }
}
