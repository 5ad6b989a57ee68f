/// How a piece of text stands out.
enum TextStyle: Equatable {
  case plain
  case heading
  case faint
  case added
  case changed
  case changedCell
  case removed
  case problem

  /// The parameters of the terminal's "select graphic rendition" that switch the style on.
  var rendition: String {
    switch self {
    case .plain: "0"
    case .heading: "1"
    case .faint: "2"
    case .added: "32"
    case .changed: "33"
    case .changedCell: "1;33"
    case .removed: "9;31"
    case .problem: "1;31"
    }
  }
}

/// A line on a terminal: pieces of text with their styles.
struct StyledLine: Equatable {
  private struct Piece: Equatable {
    var text: String
    let style: TextStyle
  }

  private var pieces: [Piece] = []
  /// The columns that the line takes.
  private(set) var width = 0

  init() {}

  /// Makes a line of one text, cut to `limit` columns.
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

  /// The line without its styles.
  var text: String { pieces.map(\.text).joined() }

  /// The texts of one style.
  func texts(in style: TextStyle) -> [String] {
    pieces.filter { $0.style == style }.map(\.text)
  }

  /// The line as a terminal reads it.
  func encoded(colors: Bool) -> String {
    guard colors else { return text }
    return pieces.map { piece in
      piece.style == .plain
        ? piece.text : "\u{1B}[\(piece.style.rendition)m\(piece.text)\u{1B}[0m"
    }.joined()
  }
}
