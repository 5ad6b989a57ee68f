/// One use of a column in a statement, with the qualifier of its table.
struct QualifiedColumn {
  /// The qualifier, without quotes, in lower case.
  let qualifier: String
  let name: String
  /// The indexes of its tokens.
  let tokens: Range<Int>
  /// Whether it stands in a condition, not among the arguments of a function, and is not part of a
  /// longer name.
  let isTermOfCondition: Bool
}

/// A term of a condition: a column is equal to a column of another table.
struct ColumnEquality {
  /// The clause that contains the condition.
  enum Clause: Equatable {
    case `where`
    /// The index of the table that is joined.
    case join(Int)
  }

  /// How the column is written.
  let inner: String
  /// The qualifier of that column, if it is written, and its name, without quotes.
  let qualifier: String?
  let name: String
  /// The column of the other table.
  let outer: QualifiedColumn
  /// Whether it is `IS`, which is also true of two NULLs.
  let isNullSafe: Bool
  let clause: Clause
}

extension SelectText {
  /// The conditions of the joins, and the condition of the `WHERE`.
  private var conditions: [(clause: ColumnEquality.Clause, tokens: Range<Int>)] {
    tables.enumerated().compactMap { index, table in
      table.constraint.map { (.join(index), $0) }
    } + (cuts.condition.map { [(.where, $0)] } ?? [])
  }

  /// Returns the columns of tables, once for each time that the statement names one with its
  /// qualifier.
  func columns(of qualifiers: Set<String>) -> [QualifiedColumn] {
    let tokens = content.tokens
    let conditions = conditions.map(\.tokens)
    return tokens.indices.dropLast(2).compactMap { index in
      guard tokens[index + 1].isSymbol("."),
        let qualifier = content.name(index)?.asciiLowercased, qualifiers.contains(qualifier),
        let name = content.name(index + 2)
      else { return nil }
      let isPart = [index - 1, index + 3].contains { neighbour in
        tokens.indices.contains(neighbour) && tokens[neighbour].isSymbol(".")
      }
      return QualifiedColumn(
        qualifier: qualifier,
        name: name,
        tokens: index..<index + 3,
        isTermOfCondition: !isPart
          && conditions.contains { $0.contains(index) && !isArgument(index, $0) }
      )
    }
  }

  /// Whether a token in a condition is in parentheses that may belong to a function.
  private func isArgument(_ index: Int, _ condition: Range<Int>) -> Bool {
    var depth = content.tokens[index].depth
    for position in (condition.lowerBound..<index).reversed() {
      let token = content.tokens[position]
      guard token.isSymbol("("), token.depth < depth else { continue }
      depth = token.depth
      guard position > condition.lowerBound else { continue }
      let before = content.tokens[position - 1]
      if before.isName, !Self.operators.contains(before.keyword) { return true }
    }
    return false
  }

  /// Words before a parenthesis that do not call it as a function.
  private static let operators: Set<String> = [
    "AND", "BETWEEN", "CASE", "ELSE", "IN", "IS", "NOT", "OR", "THEN", "WHEN",
  ]

  /// Returns the equalities of columns with some columns of other tables that each row meets for
  /// which the condition is true.
  func equalities(with outer: [QualifiedColumn]) -> [ColumnEquality] {
    var equalities: [ColumnEquality] = []
    for (clause, condition) in conditions {
      for term in conjuncts(of: condition) {
        if let equality = equality(term, outer, clause) { equalities.append(equality) }
      }
    }
    return equalities
  }

  /// Cuts a condition at each `AND`, where all terms must be true for it to be.
  private func conjuncts(of condition: Range<Int>) -> [Range<Int>] {
    guard let first = condition.first else { return [] }
    let depth = content.tokens[first].depth
    let words = content.tokens[condition].filter { $0.depth == depth }.map(\.keyword)
    // These may have an `AND` of their own, or make its terms optional.
    guard !words.contains(where: ["BETWEEN", "CASE", "OR"].contains) else { return [condition] }
    return content.terms(of: condition, separatedBy: { $0.keyword == "AND" }).flatMap { term in
      guard content.isParenthesized(term) else { return [term] }
      return conjuncts(of: term.lowerBound + 1..<term.upperBound - 1)
    }
  }

  /// Reads `column = other.column`, or the reverse.
  private func equality(
    _ term: Range<Int>,
    _ outer: [QualifiedColumn],
    _ clause: ColumnEquality.Clause
  ) -> ColumnEquality? {
    let found = outer.filter {
      $0.isTermOfCondition && term.contains($0.tokens.lowerBound)
        && term.contains($0.tokens.upperBound - 1)
    }
    guard found.count == 1, let outer = found.first else { return nil }
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
    let isNullSafe = sign.count == 1 && content.tokens[sign.lowerBound].keyword == "IS"
    let isEqual = sign.count <= 2 && sign.allSatisfy { content.tokens[$0].isSymbol("=") }
    guard isEqual || isNullSafe, let name = content.name(inner.upperBound - 1) else { return nil }
    let qualifier = inner.count == 3 ? content.name(inner.lowerBound) : nil
    guard inner.count == 1 || qualifier != nil else { return nil }
    return ColumnEquality(
      inner: content.text(inner),
      qualifier: qualifier?.asciiLowercased,
      name: name,
      outer: outer,
      isNullSafe: isNullSafe,
      clause: clause
    )
  }
}
