/// Returns the words of a text, as the tokenizers `simple` of FTS3 and `ascii` of FTS5 find them.
///
/// A word is a run of ASCII letters, ASCII digits and characters outside ASCII, with ASCII letters
/// in lowercase. In lowercase, no word is an operator of a pattern. Runs that consist only of
/// punctuation, spaces, marks and similar characters are left out: the tokenizers `unicode61` find
/// no token in them.
///
/// - Returns: The words, without repetitions unless `keepsRepetitions` is set.
func fullTextTokens(in text: String, keepsRepetitions: Bool = false) -> [String] {
  var tokens: [String] = []
  // Tokens are compared by their bytes.
  var known: Set<[UInt8]> = []
  for run in text.utf8.split(whereSeparator: { !$0.isPartOfToken }) {
    let token = String(decoding: run, as: UTF8.self).asciiLowercased
    guard token.unicodeScalars.contains(where: \.isPartOfWord) else { continue }
    if keepsRepetitions || known.insert(Array(token.utf8)).inserted { tokens.append(token) }
  }
  return tokens
}

/// Joins terms into a pattern; returns `nil` when there are no terms, or more than an expression of
/// SQLite can have.
func fullTextPattern(of terms: [String], separator: String) -> String? {
  guard !terms.isEmpty, terms.count <= 2048 else { return nil }
  return terms.joined(separator: separator)
}

/// Returns the words of a text as a phrase; `nil` when there are no words, or too many.
func fullTextPhrase(in text: String) -> String? {
  fullTextPattern(of: fullTextTokens(in: text, keepsRepetitions: true), separator: " ")
    .map { "\"\($0)\"" }
}

extension UInt8 {
  fileprivate var isPartOfToken: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
      true
    default: false
    }
  }
}

extension Unicode.Scalar {
  /// Whether the character can make a word on its own.
  fileprivate var isPartOfWord: Bool {
    switch properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation, .spaceSeparator, .lineSeparator,
      .paragraphSeparator, .control, .format, .surrogate, .nonspacingMark, .spacingMark,
      .enclosingMark:
      false
    default: true
    }
  }
}
