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

  /// A column of the query around it, as it is named in the subquery.
  struct OuterColumn: Hashable {
    /// The table's qualifier, without quotes, in lower case.
    let qualifier: String
    let name: String
  }

  /// A condition that each of its rows meets: a column of its own is equal to one of the query
  /// around it.
  struct Equality {
    /// How the column of the subquery is written.
    let inner: String
    /// The qualifier of that column, if it is written, and its name, without quotes.
    let qualifier: String?
    let name: String
    let outer: OuterColumn
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

  /// Says what a subquery stands for, by what is before its parenthesis.
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

  // MARK: The query around it

  /// Returns the places at which it names columns of the query around it.
  ///
  /// - Parameter qualifiers: The qualifiers of that query's tables.
  /// - Returns: The columns with the indexes of their tokens.
  /// - Throws: ``PatchObstacle`` where one stands anywhere but in a condition.
  func outerColumns(
    _ qualifiers: Set<String>
  ) throws(PatchObstacle) -> [(column: OuterColumn, tokens: Range<Int>)] {
    let content = select.content
    let outer = qualifiers.subtracting(select.tables.map(\.comparedQualifier))
    let conditions = conditions.map(\.tokens)
    var columns: [(column: OuterColumn, tokens: Range<Int>)] = []
    for index in content.tokens.indices.dropLast(2) {
      guard content.tokens[index + 1].isSymbol("."),
        let qualifier = content.name(index)?.asciiLowercased, outer.contains(qualifier),
        let name = content.name(index + 2)
      else { continue }
      let isPart = [index - 1, index + 3].contains { place in
        content.tokens.indices.contains(place) && content.tokens[place].isSymbol(".")
      }
      // An aggregate function of such columns would be one of the query around it.
      guard !isPart, content.tokens[index].depth == 0,
        conditions.contains(where: { $0.contains(index) })
      else { throw .hasSubquery }
      columns.append((OuterColumn(qualifier: qualifier, name: name), index..<index + 3))
    }
    return columns
  }

  /// The condition, and those of joins; and whether each row meets them.
  private var conditions: [(tokens: Range<Int>, isMetByEachRow: Bool)] {
    let joins = select.tables.compactMap(\.constraint)
    let isInner = !select.tables.contains(where: \.isOptional)
    return joins.map { ($0, isInner) } + (select.cuts.condition.map { [($0, true)] } ?? [])
  }

  /// Returns the equalities of its own columns with columns of the query around it.
  func equalities(_ outer: [(column: OuterColumn, tokens: Range<Int>)]) -> [Equality] {
    let tokens = select.content.tokens
    var equalities: [Equality] = []
    for (condition, isMet) in conditions where isMet {
      let words = tokens[condition].filter { $0.depth == 0 }.map(\.keyword)
      // These may have an `AND` of their own, or make the terms of it optional.
      guard !words.contains(where: ["BETWEEN", "CASE", "OR"].contains) else { continue }
      for term in Self.terms(of: condition, tokens) {
        if let equality = equality(term, outer) { equalities.append(equality) }
      }
    }
    return equalities
  }

  /// Cuts a condition at each `AND`.
  private static func terms(of condition: Range<Int>, _ tokens: [SQLToken]) -> [Range<Int>] {
    var terms: [Range<Int>] = []
    var start = condition.lowerBound
    for index in condition where tokens[index].depth == 0 && tokens[index].keyword == "AND" {
      terms.append(start..<index)
      start = index + 1
    }
    return terms + [start..<condition.upperBound]
  }

  /// Reads `column = outer.column`, or the reverse.
  private func equality(
    _ term: Range<Int>,
    _ outer: [(column: OuterColumn, tokens: Range<Int>)]
  ) -> Equality? {
    let content = select.content
    guard
      let outer = outer.first(where: {
        term.contains($0.tokens.lowerBound) && term.contains($0.tokens.upperBound - 1)
      })
    else { return nil }
    var (inner, sign) = (outer.tokens.upperBound..<term.upperBound, 0..<0)
    if outer.tokens.lowerBound > term.lowerBound {
      guard outer.tokens.upperBound == term.upperBound else { return nil }
      let start = term.lowerBound
      let length = content.tokens[min(start + 1, term.upperBound - 1)].isSymbol(".") ? 3 : 1
      guard start + length < outer.tokens.lowerBound else { return nil }
      (inner, sign) = (start..<start + length, start + length..<outer.tokens.lowerBound)
    } else {
      let end = term.upperBound
      let length = end - 2 > inner.lowerBound && content.tokens[end - 2].isSymbol(".") ? 3 : 1
      guard end - length > inner.lowerBound else { return nil }
      (inner, sign) = (end - length..<end, inner.lowerBound..<end - length)
    }
    let isEqual =
      sign.count <= 2 && sign.allSatisfy { content.tokens[$0].isSymbol("=") }
      || sign.count == 1 && content.tokens[sign.lowerBound].keyword == "IS"
    guard isEqual, let name = content.name(inner.upperBound - 1) else { return nil }
    let qualifier = inner.count == 3 ? content.name(inner.lowerBound) : nil
    guard inner.count == 1 || qualifier != nil else { return nil }
    return Equality(
      inner: content.text(inner),
      qualifier: qualifier?.asciiLowercased,
      name: name,
      outer: outer.column
    )
  }
}
