internal import WellspringSystem

/// A source of a `SELECT`, and the expressions behind its columns.
struct ExpandedSource {
  let item: SelectSource
  let qualifier: String
  /// The names of its columns.
  let names: [String]
  /// The `SELECT` in its place; `nil` for a table.
  let select: ExpandedSelect?

  var comparedQualifier: String { qualifier.withoutQuotes.asciiLowercased }

  /// Returns the expression behind a column; `nil` if no such column exists.
  func expression(_ name: String) -> String? {
    if let select { return select.columns.first { $0.name == name }?.expression }
    guard names.contains(name) else { return nil }
    return "\(qualifier).\(name.quotedDatabaseIdentifier)"
  }
}

/// The meaning of the names in a `SELECT`.
struct SelectScope {
  let content: NumberedText
  let sources: [ExpandedSource]
  /// The expressions behind the names of result columns.
  var aliases: [String: String] = [:]

  var isDistinct: Bool { content.tokens.count > 1 && content.tokens[1].keyword == "DISTINCT" }

  /// Returns the columns that a term of the list means.
  ///
  /// - Parameters:
  ///   - term: The term.
  ///   - isSource: Whether other expressions are made of the columns.
  /// - Returns: The columns.
  /// - Throws: ``PatchObstacle`` when the columns are not known.
  func columns(
    _ term: Range<Int>,
    isSource: Bool = true
  ) throws -> [ExpandedSelect.Column] {
    guard let last = term.last else { throw PatchObstacle.isNoSelect }
    if content.tokens[last].isSymbol("*"), term.count == 1 || term.count == 3 {
      return try columns(of: term.count == 3 ? content.name(term.lowerBound) : nil)
    }
    let (expression, alias) = withoutAlias(term)
    let name: String =
      if let alias {
        alias
      } else if let name = content.name(last),
        term.count == 1 || content.tokens[last - 1].isSymbol(".")
      {
        name
      } else {
        content.text(term)
      }
    let text = text(expression)
    let isColumn = expression.count == 1 || expression.count == 3 && isQualified(expression)
    return [
      ExpandedSelect.Column(
        name: name.asciiLowercased,
        expression: isColumn || !isSource ? text : "(\(text))"
      )
    ]
  }

  private func isQualified(_ expression: Range<Int>) -> Bool {
    content.tokens[expression.lowerBound + 1].isSymbol(".")
  }

  /// Returns the columns of one source, or of all.
  private func columns(of qualifier: String?) throws -> [ExpandedSelect.Column] {
    let qualifier = qualifier?.asciiLowercased
    let found = sources.filter { qualifier == nil || $0.comparedQualifier == qualifier }
    // Columns that tables share are shown once.
    let sharesColumns = sources.contains { $0.item.hasCommonColumns || $0.item.isNatural }
    guard !found.isEmpty, qualifier != nil || !sharesColumns else {
      throw PatchObstacle.readsOtherSource
    }
    return found.flatMap { source in
      source.names.compactMap { name in
        source.expression(name).map { ExpandedSelect.Column(name: name, expression: $0) }
      }
    }
  }

  /// Returns the expression and the alias of a term of the list.
  func withoutAlias(_ term: Range<Int>) -> (expression: Range<Int>, alias: String?) {
    guard term.count > 1, let name = content.name(term.upperBound - 1) else { return (term, nil) }
    let before = content.tokens[term.upperBound - 2]
    if before.keyword == "AS" { return (term.dropLast(2), name) }
    // A name after the end of an expression.
    let endsExpression =
      before.isSymbol(")") || before.kind == .number || before.kind == .string
      || before.kind == .parameter || before.kind == .quotedName
      || before.kind == .word && !Self.operators.contains(before.keyword)
    let isKeyword = Self.operators.contains(content.tokens[term.upperBound - 1].keyword)
    return endsExpression && !isKeyword ? (term.dropLast(), name) : (term, nil)
  }

  /// Returns the `ORDER BY` of a source, without the names and numbers of its columns.
  func order(_ clause: Range<Int>, _ columns: [ExpandedSelect.Column]) throws -> String {
    try content.terms(of: clause) { $0.isSymbol(",") }.map { term in
      guard let first = term.first, content.tokens[first].kind == .number else {
        return text(term, prefersAliases: true)
      }
      guard let number = Int(content.written(first)), columns.indices.contains(number - 1) else {
        throw PatchObstacle.readsOtherSource
      }
      return "\(columns[number - 1].expression) \(content.text(term.dropFirst()))"
    }
    .joined(separator: ", ")
  }

  /// Returns a text in which each column is a column of a table.
  ///
  /// - Parameters:
  ///   - range: The tokens.
  ///   - prefersAliases: Whether a name means a result column, if one has this name.
  /// - Returns: The text.
  func text(_ range: Range<Int>, prefersAliases: Bool = false) -> String {
    var replacements: [NumberedText.Replacement] = []
    let depth = range.first.map { content.tokens[$0].depth } ?? 0
    /// Where the subquery ends in which a token stands.
    var end = range.lowerBound
    for index in range {
      let token = content.tokens[index]
      if token.keyword == "SELECT", index >= end {
        end =
          content.tokens[index..<range.upperBound].firstIndex {
            $0.isSymbol(")") && $0.depth == token.depth - 1
          } ?? range.upperBound
      }
      let isInSubquery = index < end && token.depth > depth
      guard let name = content.name(index)?.asciiLowercased, !isOther(index, in: range) else {
        continue
      }
      if index - 2 >= range.lowerBound, content.tokens[index - 1].isSymbol(".") {
        if let source = source(content.name(index - 2)), source.select != nil,
          let expression = source.expression(name)
        {
          replacements.append((index - 2..<index + 1, expression))
        }
      } else if !isInSubquery, let expression = meaning(of: name, prefersAliases) {
        replacements.append((index..<index + 1, expression))
      }
    }
    return content.text(range, replacing: replacements)
  }

  private func source(_ qualifier: String?) -> ExpandedSource? {
    let qualifier = qualifier?.asciiLowercased
    return sources.first { $0.comparedQualifier == qualifier }
  }

  /// Returns the meaning of a name without a qualifier; `nil` if it is not known.
  private func meaning(of name: String, _ prefersAliases: Bool) -> String? {
    if prefersAliases, let alias = aliases[name] { return alias }
    let expressions = sources.compactMap { $0.expression(name) }
    if expressions.count == 1 { return expressions[0] }
    return expressions.isEmpty ? aliases[name] : nil
  }

  /// Whether a token is a keyword, a qualifier, or a name of something else than a column.
  private func isOther(_ index: Int, in range: Range<Int>) -> Bool {
    let token = content.tokens[index]
    if token.kind == .word, Self.operators.contains(token.keyword) { return true }
    if index + 1 < range.upperBound,
      content.tokens[index + 1].isSymbol("(") || content.tokens[index + 1].isSymbol(".")
    {
      return true
    }
    return index > range.lowerBound
      && ["AS", "COLLATE"].contains(content.tokens[index - 1].keyword)
  }

  /// Words in expressions that cannot be names without quotes.
  private static let operators: Set<String> = [
    "AND", "AS", "ASC", "BETWEEN", "CASE", "CAST", "COLLATE", "DESC", "ELSE", "END", "ESCAPE",
    "EXISTS", "FILTER", "FROM", "GLOB", "IN", "IS", "ISNULL", "LIKE", "MATCH", "NOT", "NOTNULL",
    "NULL", "NULLS", "OR", "REGEXP", "SELECT", "THEN", "WHEN", "WHERE",
  ]
}
