/// How dumps show the rows of a query.
///
/// `.debug()`, `.list()`, `.line()`, `.quote()` and `.json()` are the formats of the `sqlite3` shell.
/// https://www.sqlite.org/cli.html#changing_output_formats
public protocol DumpFormat: Sendable {
  /// Writes a row.
  mutating func write(_ row: DumpedRow, to stream: inout DumpStream)

  /// Writes what follows the last row, if there was one.
  mutating func finish(to stream: inout DumpStream)
}

extension DumpFormat {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public mutating func finish(to stream: inout DumpStream) {}
}

/// Where dumps go: to a stream, or to the standard output.
public struct DumpStream: TextOutputStream {
  private let base: (any TextOutputStream)?
  private var text = ""
  private var hasMargin = false
  private var isEmpty = true

  /// - Parameter base: Takes the text; `nil` for the standard output.
  init(_ base: (any TextOutputStream)?) {
    self.base = base
  }

  /// Writes text as it is.
  public mutating func write(_ string: String) {
    guard !string.isEmpty else { return }
    if hasMargin, !isEmpty { text += "\n" }
    hasMargin = false
    isEmpty = false
    text += string
  }

  /// Writes a line.
  public mutating func writeLine(_ line: String) {
    write(line)
    text += "\n"
    isEmpty = false
  }

  /// Separates what was written from what will be by an empty line.
  public mutating func margin() { hasMargin = true }

  /// Hands the text on.
  mutating func flush() {
    defer { text = "" }
    guard var base else { return print(text, terminator: "") }
    base.write(text)
  }
}
