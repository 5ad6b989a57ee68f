/// A statement, cut into tokens, whose parameters have numbers: `?1`.
struct NumberedText {
  /// Another text in place of some tokens.
  typealias Replacement = (tokens: Range<Int>, text: String)

  let tokens: [SQLToken]
  private let text: [UInt8]
  /// The numbers of the parameters, by the indexes of their tokens.
  private let parameters: [Int: Int]
  /// The highest number of a parameter.
  let parameterCount: Int

  /// - Returns: `nil` for text that this code does not understand.
  init?(_ sql: String) {
    text = Array(sql.utf8)
    guard let tokens = SQLToken.tokens(of: text) else { return nil }
    self.tokens = tokens
    var numbering = ParameterNumbering(text)
    parameters = numbering.parameters(in: tokens)
    parameterCount = numbering.highest
  }

  /// A token as it is written.
  func written(_ index: Int) -> String {
    String(decoding: text[tokens[index].range], as: UTF8.self)
  }

  /// A token that is a name, without quotes; `nil` for any other token.
  func name(_ index: Int) -> String? {
    guard tokens.indices.contains(index), tokens[index].isName else { return nil }
    return written(index).withoutQuotes
  }

  /// Returns the text of some tokens.
  ///
  /// - Parameters:
  ///   - range: The indexes of the tokens.
  ///   - replacements: Other texts in place of some of them, in ascending order. Replacements of
  ///     other tokens do not matter.
  /// - Returns: The text, with numbered parameters.
  func text(_ range: Range<Int>, replacing replacements: [Replacement] = []) -> String {
    guard let last = range.last else { return "" }
    var result: [UInt8] = []
    var offset = tokens[range.lowerBound].range.lowerBound
    func append(upTo index: Int) { result += text[offset..<tokens[index].range.lowerBound] }
    var index = range.lowerBound
    while index < range.upperBound {
      if let replacement = replacements.first(where: { $0.tokens.lowerBound == index }),
        replacement.tokens.upperBound <= range.upperBound
      {
        append(upTo: index)
        result += replacement.text.utf8
        index = replacement.tokens.upperBound
        offset = tokens[index - 1].range.upperBound
        continue
      }
      if let number = parameters[index] {
        append(upTo: index)
        result += "?\(number)".utf8
        offset = tokens[index].range.upperBound
      }
      index += 1
    }
    result += text[offset..<tokens[last].range.upperBound]
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether one pair of parentheses encloses a term.
  func isParenthesized(_ term: Range<Int>) -> Bool {
    guard term.count > 2, tokens[term.lowerBound].isSymbol("("),
      tokens[term.upperBound - 1].isSymbol(")")
    else { return false }
    let depth = tokens[term.lowerBound].depth
    return tokens[term.lowerBound + 1..<term.upperBound - 1].allSatisfy { $0.depth > depth }
  }

  /// Cuts a clause at separators outside of its parentheses.
  func terms(
    of clause: Range<Int>,
    separatedBy isSeparator: (SQLToken) -> Bool
  ) -> [Range<Int>] {
    var terms: [Range<Int>] = []
    guard let first = clause.first else { return [] }
    let depth = tokens[first].depth
    var start = clause.lowerBound
    for index in clause where tokens[index].depth == depth && isSeparator(tokens[index]) {
      terms.append(start..<index)
      start = index + 1
    }
    return terms + [start..<clause.upperBound]
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
