/// Describes the use of a parameter in a statement, for errors: `the column day`, or
/// `the argument 2`.
enum ParameterUse {
  static func text(ofParameter index: Int, in statement: Statement) -> String {
    if let column = column(ofParameter: index, in: statement) { return "the column \(column)" }
    let names = statement.parameterNames
    guard names.indices.contains(index - 1), let name = names[index - 1] else {
      return "the argument \(index)"
    }
    return "the argument :\(name)"
  }

  /// Returns the column that takes the value of a parameter, or is compared with it.
  private static func column(ofParameter index: Int, in statement: Statement) -> String? {
    let text = Array(statement.sql.utf8)
    guard let tokens = SQLToken.tokens(of: text) else { return nil }
    var known: [String: Int] = [:]
    var last = 0
    for (position, token) in tokens.enumerated() where token.kind == .parameter {
      let name = String(decoding: text[token.range], as: UTF8.self)
      let number: Int
      if name == "?" {
        number = last + 1
      } else if name.hasPrefix("?") {
        number = Int(name.dropFirst()) ?? 0
      } else {
        number = known[name] ?? last + 1
        known[name] = number
      }
      last = max(last, number)
      guard number == index else { continue }
      let search = Search(text: text, tokens: tokens, parameter: position)
      if let column = search.operand ?? search.insertedColumn(statement.database) { return column }
    }
    return nil
  }

  private struct Search {
    let text: [UInt8]
    let tokens: [SQLToken]
    /// The index of the parameter's token.
    let parameter: Int

    /// The name before the operator before the parameter: `day` in `day = ?`.
    var operand: String? {
      var index = parameter - 1
      while index >= 0, isOperator(tokens[index]) { index -= 1 }
      guard index >= 0, index < parameter - 1, tokens[index].kind != .string else { return nil }
      return tokens[index].text(in: text)
    }

    private func isOperator(_ token: SQLToken) -> Bool {
      if case .symbol(let byte) = token.kind { return "=<>!".utf8.contains(byte) }
      return token.keyword == "IS" || token.keyword == "NOT"
    }

    /// The column of `INSERT INTO table (columns) VALUES (…)` in which the parameter stands.
    func insertedColumn(_ db: Database) -> String? {
      let depth = tokens[parameter].depth
      var index = parameter - 1
      var position = 0
      while index >= 0, tokens[index].depth >= depth {
        if tokens[index].depth == depth, tokens[index].isSymbol(",") { position += 1 }
        index -= 1
      }
      // An opening parenthesis counts as outside. Rows before this one are behind it.
      guard index >= 0, tokens[index].isSymbol("(") else { return nil }
      while index >= 0, tokens[index].keyword != "VALUES" {
        guard tokens[index].depth >= depth - 1 else { return nil }
        index -= 1
      }
      index -= 1
      guard index >= 0 else { return nil }
      let columns = list(endingAt: index) ?? allColumns(ofTableAt: index, db)
      return columns.flatMap { $0.indices.contains(position) ? $0[position] : nil }
    }

    /// Returns the names of a list in parentheses.
    private func list(endingAt end: Int) -> [String]? {
      guard tokens[end].isSymbol(")") else { return nil }
      var names: [String] = []
      var index = end - 1
      while index >= 0, tokens[index].depth > tokens[end].depth {
        if let name = tokens[index].text(in: text) { names.append(name) }
        index -= 1
      }
      return names.reversed()
    }

    private func allColumns(ofTableAt index: Int, _ db: Database) -> [String]? {
      guard let table = tokens[index].text(in: text), let info = try? db.tableInfo(table) else {
        return nil
      }
      return info.columns.filter { !$0.isGenerated }.map(\.name)
    }
  }
}

/// The assignment of arguments to the parameters of a statement.
///
/// A named parameter takes the named value of its name. All other parameters, including named ones
/// without a named value, take the positional values from left to right. Named values without a
/// parameter are ignored, so that one dictionary can serve several statements.
struct ArgumentMatching {
  /// The value of each parameter; `nil` for a parameter without a value.
  private(set) var values: [DatabaseValue?]

  /// An error message when a parameter has no value, or a positional value no parameter; otherwise
  /// `nil`.
  let problem: String?

  init(_ arguments: StatementArguments, parameterNames: [String?]) {
    var positional = arguments.values.makeIterator()
    values = parameterNames.map { name in
      if let name, let value = arguments.namedValues[name] { return value }
      return positional.next()
    }
    let missing = zip(1..., zip(parameterNames, values)).filter { $1.1 == nil }
      .map { number, parameter in parameter.0.map { ":\($0)" } ?? "number \(number)" }
    if !missing.isEmpty {
      problem =
        "missing statement arguments: \(missing.joined(separator: ", ")) "
        + "(the statement has \(values.count), \(arguments.count) given)"
    } else if positional.next() != nil {
      problem =
        "too many statement arguments: the statement has \(values.count), \(arguments.count) given"
    } else {
      problem = nil
    }
  }
}
