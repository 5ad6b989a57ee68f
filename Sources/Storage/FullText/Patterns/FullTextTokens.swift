/// The words of a text, as the tokenizers `simple` of FTS3 and `ascii` of FTS5 find them: runs of ASCII letters and
/// digits and of all other characters outside of ASCII, with ASCII letters in lower case. In lower case, no word
/// is an operator of a pattern. Runs without anything but punctuation, spaces, marks and the like are left out:
/// the tokenizers `unicode61` find no word in them.
///
/// - Returns: The words, each one once unless `keepsRepetitions` is set.
func fullTextTokens(in text: String, keepsRepetitions: Bool = false) -> [String] {
  var tokens: [String] = []
  var known: Set<String> = []
  for run in text.utf8.split(whereSeparator: { !$0.isPartOfToken }) {
    let token = String(decoding: run, as: UTF8.self).asciiLowercased
    guard token.unicodeScalars.contains(where: \.isPartOfWord) else { continue }
    if keepsRepetitions || known.insert(token).inserted { tokens.append(token) }
  }
  return tokens
}

/// A pattern of the modules, unless there are no terms, or more than make an expression that SQLite takes.
func fullTextPattern(of terms: [String], separator: String) -> String? {
  guard !terms.isEmpty, terms.count <= 2048 else { return nil }
  return terms.joined(separator: separator)
}

/// The words of a text, one after the other, as a pattern: `nil` when there are none, or too many.
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
  /// Whether the character says something by itself.
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
