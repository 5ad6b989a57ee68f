internal import CommandLineSupport
internal import Storage

/// Writes each value on a line of its own after the name of its column, and an empty line between
/// two rows, for results with many columns.
struct LineRowWriter: RowWriter {
  private let names: [String]
  private var output: BufferedOutput
  private var isFirst = true

  init(columns: [String], output: Output) {
    let widths = columns.map { DisplayText($0).width }
    let width = widths.max() ?? 0
    names = zip(columns, widths).map { String(repeating: " ", count: width - $1) + $0 + " = " }
    self.output = BufferedOutput(output)
  }

  mutating func write(_ row: [DatabaseValue]) throws {
    if !isFirst { output.bytes.append(UInt8(ascii: "\n")) }
    isFirst = false
    for (name, value) in zip(names, row) {
      output.bytes += name.utf8
      switch value.storage {
      case .string(let text): output.bytes += text.utf8
      default: output.bytes += CellText.text(for: value, limit: .max).text.utf8
      }
      output.bytes.append(UInt8(ascii: "\n"))
    }
    try output.writeIfFull()
  }

  mutating func finish() throws {
    try output.flush()
  }
}
