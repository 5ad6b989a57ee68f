/// The output of a dump: another stream, or the standard output.
public struct DumpStream: TextOutputStream {
  private let base: (any TextOutputStream)?
  private var text = ""
  private var hasMargin = false
  private var isEmpty = true

  /// - Parameter base: Receives the text; `nil` for the standard output.
  init(_ base: (any TextOutputStream)?) {
    self.base = base
  }

  /// Writes text.
  public mutating func write(_ string: String) {
    guard !string.isEmpty else { return }
    if hasMargin, !isEmpty { text += "\n" }
    hasMargin = false
    isEmpty = false
    text += string
  }

  /// Writes text and ends the line.
  public mutating func writeLine(_ line: String) {
    write(line)
    text += "\n"
    isEmpty = false
  }

  /// Separates the text before from the text after by an empty line.
  public mutating func margin() { hasMargin = true }

  /// Writes the collected text to the base stream, or to the standard output.
  mutating func flush() {
    defer { text = "" }
    guard var base else { return print(text, terminator: "") }
    base.write(text)
  }
}
