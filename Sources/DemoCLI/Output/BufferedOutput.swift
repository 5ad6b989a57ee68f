/// Bytes that are written to an output in pieces of about 64 KiB.
struct BufferedOutput {
  private static let limit = 65_536

  private let output: Output
  /// The bytes that are not written yet.
  var bytes: [UInt8] = []

  init(_ output: Output) {
    self.output = output
  }

  /// Writes the bytes if there are enough of them.
  mutating func writeIfFull() throws(Output.Failure) {
    if bytes.count >= Self.limit { try flush() }
  }

  /// Writes all bytes.
  mutating func flush() throws(Output.Failure) {
    guard !bytes.isEmpty else { return }
    try output.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}
