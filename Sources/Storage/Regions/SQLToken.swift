/// A token of SQL, as SQLite cuts a text: https://www.sqlite.org/src/file/src/tokenize.c
struct SQLToken {
  enum Kind: Equatable {
    /// A keyword, or a name without quotes.
    case word
    /// A name in `"…"`, `[…]` or backquotes; also a string in double quotes.
    case quotedName
    case string
    case number
    case parameter
    /// Any other character; an operator of two characters counts as two symbols.
    case symbol(UInt8)
  }

  let kind: Kind
  /// The bytes of the token in the text.
  let range: Range<Int>
  /// How many parentheses enclose the token. An opening and a closing one count as outside.
  let depth: Int
  /// The word in upper case; empty for other tokens.
  let keyword: String

  func isSymbol(_ character: Unicode.Scalar) -> Bool { kind == .symbol(UInt8(ascii: character)) }
}

extension SQLToken {
  /// Cuts the first statement of a text into tokens, without comments and white space.
  ///
  /// - Returns: `nil` for text that this code does not understand. Nothing is known about such
  ///   text.
  static func tokens(of text: [UInt8]) -> [SQLToken]? {
    var cutter = Cutter(text: text)
    return cutter.cut()
  }

  /// Cuts the end of a text, whose last statement is not complete, into tokens.
  ///
  /// Bytes that this code does not understand are symbols.
  static func tokens(ofUnfinished text: [UInt8]) -> [SQLToken] {
    var cutter = Cutter(text: text)
    while let byte = cutter.peek() {
      if !cutter.take(byte) { cutter.takeUnknown(byte) }
    }
    let start = cutter.tokens.lastIndex { $0.isSymbol(";") }
    return start.map { Array(cutter.tokens[($0 + 1)...]) } ?? cutter.tokens
  }

  /// Returns the first token of a text; `nil` if the text has none.
  static func firstToken(of text: [UInt8]) -> SQLToken? {
    var cutter = Cutter(text: text)
    while cutter.tokens.isEmpty, let byte = cutter.peek() {
      // The parenthesis may be open before the text.
      if !cutter.take(byte) { cutter.takeUnknown(byte) }
    }
    return cutter.tokens.first
  }

  private struct Cutter {
    let text: [UInt8]
    var offset = 0
    var depth = 0
    var tokens: [SQLToken] = []

    mutating func cut() -> [SQLToken]? {
      while let byte = peek() {
        if byte == UInt8(ascii: ";"), depth == 0 { return tokens }
        guard take(byte) else { return nil }
      }
      return depth == 0 ? tokens : nil
    }

    func peek(_ distance: Int = 0) -> UInt8? {
      text.indices.contains(offset + distance) ? text[offset + distance] : nil
    }

    /// Takes the token, the comment or the space that begins with a byte.
    mutating func take(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x09, 0x0A, 0x0C, 0x0D, 0x20:
        offset += 1
        return true
      case UInt8(ascii: "-") where peek(1) == byte:
        while let next = peek(), next != 0x0A { offset += next == 0 ? text.count : 1 }
        return true
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
        return takeComment()
      case UInt8(ascii: "'"): return takeQuoted(byte, .string)
      case UInt8(ascii: "\""), UInt8(ascii: "`"): return takeQuoted(byte, .quotedName)
      case UInt8(ascii: "["):
        guard let end = text[offset...].firstIndex(of: UInt8(ascii: "]")) else { return false }
        add(.quotedName, upTo: end + 1)
        return true
      case UInt8(ascii: "?"):
        add(.parameter, upTo: end(after: offset + 1) { (0x30...0x39).contains($0) })
        return true
      case UInt8(ascii: ":"), UInt8(ascii: "@"):
        let end = end(after: offset + 1, where: Self.isWordPart)
        guard end > offset + 1 else { return false }
        add(.parameter, upTo: end)
        return true
      case _ where Self.isDigit(byte),
        UInt8(ascii: ".") where peek(1).map(Self.isDigit) == true:
        add(.number, upTo: end(after: offset + 1) { Self.isWordPart($0) || $0 == 0x2E })
        return true
      case _ where Self.isWordPart(byte) && byte != UInt8(ascii: "$"):
        add(.word, upTo: end(after: offset + 1, where: Self.isWordPart))
        return true
      case 0x21...0x7E where byte != UInt8(ascii: "$"):
        return takeSymbol(byte)
      default:
        // A control character, or a parameter in the style of Tcl.
        return false
      }
    }

    mutating func takeUnknown(_ byte: UInt8) {
      depth = Swift.max(0, depth)
      add(.symbol(byte), upTo: offset + 1)
    }

    private mutating func takeComment() -> Bool {
      var end = offset + 2
      while end + 1 < text.count {
        if text[end] == UInt8(ascii: "*"), text[end + 1] == UInt8(ascii: "/") {
          offset = end + 2
          return true
        }
        end += 1
      }
      return false
    }

    private mutating func takeQuoted(_ quote: UInt8, _ kind: Kind) -> Bool {
      var end = offset + 1
      while end < text.count {
        if text[end] == quote {
          guard end + 1 < text.count, text[end + 1] == quote else {
            add(kind, upTo: end + 1)
            return true
          }
          end += 1
        }
        end += 1
      }
      return false
    }

    private mutating func takeSymbol(_ byte: UInt8) -> Bool {
      if byte == UInt8(ascii: ")") { depth -= 1 }
      guard depth >= 0 else { return false }
      add(.symbol(byte), upTo: offset + 1)
      if byte == UInt8(ascii: "(") { depth += 1 }
      return true
    }

    private mutating func add(_ kind: Kind, upTo end: Int) {
      var keyword = ""
      if kind == .word {
        let bytes = text[offset..<end].map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        keyword = String(decoding: bytes, as: UTF8.self)
      }
      tokens.append(SQLToken(kind: kind, range: offset..<end, depth: depth, keyword: keyword))
      offset = end
    }

    private func end(after start: Int, where isPart: (UInt8) -> Bool) -> Int {
      text[start...].firstIndex { !isPart($0) } ?? text.count
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isWordPart(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
        true
      default: false
      }
    }
  }
}
