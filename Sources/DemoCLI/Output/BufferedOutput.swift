internal import CommandLineSupport

/// Bytes that are written to an output in pieces of about 64 KiB.
///
/// On a terminal, characters that could move its cursor or change its modes are escaped. A pipe
/// gets the bytes as they are.
struct BufferedOutput {
  private static let limit = 65_536

  private let output: Output
  private let isTerminal: Bool
  private let escapes: DisplayText.Escapes
  /// The bytes that are not written yet.
  var bytes: [UInt8] = []

  init(_ output: Output, escapes: DisplayText.Escapes = .swift) {
    self.output = output
    self.escapes = escapes
    isTerminal = output.isTerminal
  }

  /// Writes the bytes if there are enough of them.
  mutating func writeIfFull() throws(Output.Failure) {
    if bytes.count >= Self.limit { try flush() }
  }

  /// Writes all bytes.
  mutating func flush() throws(Output.Failure) {
    guard !bytes.isEmpty else { return }
    try output.write(
      isTerminal ? Array(DisplayText.escapedLines(bytes, as: escapes).utf8) : bytes
    )
    bytes.removeAll(keepingCapacity: true)
  }
}
