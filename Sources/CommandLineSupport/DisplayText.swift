/// A text of known width that is safe to send to a terminal: it cannot move the cursor or set
/// colours.
package struct DisplayText: Equatable {
  package let text: String
  /// The number of columns that ``text`` takes.
  package let width: Int

  /// Creates a text from `raw` that takes at most `limit` columns.
  ///
  /// Control characters and characters that change the direction of text are escaped, such as `\n`
  /// and `\u{1B}`. A text that does not fit is cut, and ends with `…`.
  ///
  /// - Complexity: O(`limit`) characters are read, however long `raw` is.
  package init(_ raw: String, limit: Int = .max) {
    guard limit > 0 else {
      text = ""
      width = 0
      return
    }
    // A fast path: most text is ASCII.
    if raw.utf8.count <= limit, raw.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      text = raw
      width = raw.utf8.count
      return
    }
    var pieces = ""
    var total = 0
    /// The part of `pieces` that leaves room for the `…`.
    var fitting = (bytes: 0, width: 0)
    for character in raw {
      let (piece, width) = Self.piece(for: character)
      guard width <= limit - total else {
        text = String(decoding: pieces.utf8.prefix(fitting.bytes), as: UTF8.self) + "…"
        self.width = fitting.width + 1
        return
      }
      pieces += piece
      total += width
      if total < limit { fitting = (pieces.utf8.count, total) }
    }
    text = pieces
    width = total
  }

  /// Returns the whole of `raw`, with escapes.
  package static func escaped(_ raw: String) -> String { DisplayText(raw).text }

  /// The forms in which characters that could move a cursor are written.
  package enum Escapes {
    /// As in Swift: `\u{202E}`.
    case swift
    /// As in a string of JSON: `\u202e`.
    case json
  }

  /// Returns a text of several lines with escapes. Tabs and the ends of lines stay.
  package static func escapedLines(
    _ bytes: some Collection<UInt8>,
    as escapes: Escapes = .swift
  ) -> String {
    var result = ""
    // By scalars, because a carriage return and a line feed are one character.
    var isAfterReturn = false
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if isAfterReturn, scalar != "\n" { result += escape("\r") }
      if isAfterReturn, scalar == "\n" { result.unicodeScalars.append("\r") }
      isAfterReturn = scalar == "\r"
      guard !isAfterReturn else { continue }
      if scalar != "\n", scalar != "\t", needsEscape(scalar) {
        result += escapes == .json ? escapeInJSON(scalar) : escape(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return isAfterReturn ? result + escape("\r") : result
  }

  /// The number of scalars after which a character is cut. More combining marks are not legible.
  private static let longestCharacter = 12

  private static func piece(for character: Character) -> (text: String, width: Int) {
    let scalars = character.unicodeScalars
    guard !scalars.contains(where: needsEscape) else {
      let text = scalars.map { needsEscape($0) ? escape($0) : String($0) }.joined()
      return (text, text.reduce(0) { $0 + DisplayWidth.of($1) })
    }
    let shortened = String(String.UnicodeScalarView(scalars.prefix(longestCharacter)))
    return (shortened, DisplayWidth.of(character))
  }

  private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // The two joiners are part of words and emoji. Other format characters are invisible, or change
    // the direction of text.
    case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
    default: false
    }
  }

  private static func escapeInJSON(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    .joined()
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }
}
