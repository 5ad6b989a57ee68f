internal import CommandLineSupport
internal import Storage

/// Writes each row as a JSON object on a line of its own.
struct JSONRowWriter: RowWriter {
  private let names: JSONNames
  /// Whether the lines are the elements of one array.
  private let isArray: Bool
  private var output: BufferedOutput
  private var count = 0

  init(columns: [String], output: Output, isArray: Bool) {
    names = JSONNames(columns: columns)
    self.isArray = isArray
    self.output = BufferedOutput(output, escapes: .json)
  }

  mutating func write(_ row: [DatabaseValue]) throws {
    var text = JSONText()
    if isArray { text.append(raw: count == 0 ? "[\n" : ",\n") }
    text.append(row, names: names)
    if !isArray { text.append(raw: "\n") }
    output.bytes += text.bytes
    count += 1
    try output.writeIfFull()
  }

  mutating func finish() throws {
    if isArray { output.bytes += (count == 0 ? "[]\n" : "\n]\n").utf8 }
    try output.flush()
  }
}
