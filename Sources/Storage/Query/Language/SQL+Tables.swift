internal import CWellspringSQLite

extension SQL {
  /// Whether the text has a subquery that may read a table under a name: `FROM visit`, but neither
  /// `FROM visit AS other` nor `visit.day`.
  ///
  /// A text that only seems to read the table stays right: the table outside of the text gets a
  /// name that it would not need.
  func readsTable(_ name: String) -> Bool {
    let words = words
    guard words.contains(where: { !$0.isQuoted && $0.text.asciiLowercased == "select" }) else {
      return false
    }
    let name = name.asciiLowercased
    return words.indices.contains { index in
      guard words[index].text.asciiLowercased == name, words[index].isName else { return false }
      guard index + 1 < words.count else { return true }
      return words[index + 1].text != "." && !words[index + 1].isTableAlias
    }
  }

  /// A word, a quoted name, or a character between them.
  private struct Word {
    var text: String
    var isQuoted = false
    var isName: Bool { isQuoted || text.utf8.first.map { $0.isPartOfName } ?? false }

    /// Whether the word after the name of a table is another name for it.
    var isTableAlias: Bool {
      guard isName, !isQuoted else { return isQuoted }
      return text.asciiLowercased == "as"
        || sqlite3_keyword_check(text, Int32(clamping: text.utf8.count)) == 0
    }
  }

  /// The words of the text, in which values and expressions are single characters.
  private var words: [Word] {
    elements.flatMap { element -> [Word] in
      switch element {
      case .text(let text), .raw(let text, _): Self.words(of: text)
      case .identifier(let name): [Word(text: name, isQuoted: true)]
      case .table(let table): [Word(text: table.name, isQuoted: true)]
      case .expression, .selection, .ordering, .subquery, .definition: [Word(text: "?")]
      }
    }
  }

  private static func words(of text: String) -> [Word] {
    var words: [Word] = []
    var rest = Substring(text)
    while let first = rest.utf8.first {
      switch first {
      case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["), UInt8(ascii: "'"):
        let end = first == UInt8(ascii: "[") ? UInt8(ascii: "]") : first
        let content = rest.utf8.dropFirst()
        let close = content.firstIndex(of: end) ?? content.endIndex
        words.append(
          Word(
            text: String(content[..<close]) ?? "",
            isQuoted: first != UInt8(ascii: "'")
          )
        )
        if first == UInt8(ascii: "'") { words[words.count - 1].text = "?" }
        rest = Substring(content[close...].dropFirst())
      case let byte where byte.isPartOfName:
        let word = rest.utf8.prefix { $0.isPartOfName }
        words.append(Word(text: String(word) ?? ""))
        rest = Substring(rest.utf8.dropFirst(word.count))
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        rest = Substring(rest.utf8.dropFirst())
      case let byte:
        words.append(Word(text: String(UnicodeScalar(byte))))
        rest = Substring(rest.utf8.dropFirst())
      }
    }
    return words
  }
}

extension UInt8 {
  /// Whether the byte can be part of a name that is not quoted.
  fileprivate var isPartOfName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
