internal import CommandLineSupport

/// A line of a terminal: pieces of text with their styles.
struct StyledLine: Equatable {
  private struct Piece: Equatable {
    var text: String
    let style: TextStyle
  }

  private var pieces: [Piece] = []
  /// The number of columns that the line takes.
  private(set) var width = 0

  init() {}

  /// Creates a line from one text, cut to `limit` columns.
  init(_ raw: String, style: TextStyle, limit: Int) {
    append(DisplayText(raw, limit: limit), style: style)
  }

  mutating func append(_ text: DisplayText, style: TextStyle) {
    append(text.text, width: text.width, style: style)
  }

  mutating func appendSpaces(_ count: Int, style: TextStyle = .plain) {
    append(String(repeating: " ", count: max(0, count)), width: max(0, count), style: style)
  }

  private mutating func append(_ text: String, width: Int, style: TextStyle) {
    guard !text.isEmpty else { return }
    self.width += width
    if pieces.last?.style == style {
      pieces[pieces.count - 1].text += text
    } else {
      pieces.append(Piece(text: text, style: style))
    }
  }

  /// The line without styles.
  var text: String { pieces.map(\.text).joined() }

  /// Returns the texts in one style.
  func texts(in style: TextStyle) -> [String] {
    pieces.filter { $0.style == style }.map(\.text)
  }

  /// Returns the line with the escape sequences of its styles.
  func encoded(colors: Bool) -> String {
    guard colors else { return text }
    return pieces.map { piece in
      piece.style == .plain
        ? piece.text : "\u{1B}[\(piece.style.rendition)m\(piece.text)\u{1B}[0m"
    }.joined()
  }
}
