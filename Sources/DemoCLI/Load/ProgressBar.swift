internal import CommandLineSupport
internal import Glibc

/// A line of a terminal that shows how much of the work is done.
struct ProgressBar {
  private let output: Output
  private let isShown: Bool
  private var isDrawn = false

  private static let width = 30

  /// Creates a bar, which is only shown on a terminal that can draw a line again.
  init(output: Output = .standardError) {
    self.output = output
    isShown = isatty(output.descriptor) == 1 && Terminal.canMoveCursor()
  }

  /// Draws the bar in place of its last drawing.
  mutating func show(_ share: Double, _ note: String) {
    guard isShown else { return }
    isDrawn = true
    try? output.write("\r\(Self.text(share, note))\u{1B}[K")
  }

  /// Removes the bar.
  mutating func clear() {
    guard isDrawn else { return }
    isDrawn = false
    try? output.write("\r\u{1B}[K")
  }

  static func text(_ share: Double, _ note: String) -> String {
    let done = Int((min(1, max(0, share)) * Double(width)).rounded(.down))
    let bar = String(repeating: "#", count: done) + String(repeating: ".", count: width - done)
    return "[\(bar)] \(Int(share * 100)) %  \(note)"
  }
}
