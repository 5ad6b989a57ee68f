internal import CommandLineSupport
internal import FoundationEssentials
internal import Storage

/// Writes comma-separated values with a header, as in RFC 4180.
///
/// NULL is an empty field, and an empty text is `""`. A blob is written in hexadecimal digits.
struct CSVRowWriter: RowWriter {
  private var output: BufferedOutput

  init(columns: [String], output: Output) {
    self.output = BufferedOutput(output)
    append(columns.map { Self.field($0) })
  }

  mutating func write(_ row: [DatabaseValue]) throws {
    append(row.map(Self.field))
    try output.writeIfFull()
  }

  mutating func finish() throws {
    try output.flush()
  }

  private mutating func append(_ fields: [String]) {
    output.bytes += fields.joined(separator: ",").utf8
    output.bytes += "\r\n".utf8
  }

  private static func field(_ value: DatabaseValue) -> String {
    switch value.storage {
    case .null: ""
    case .int64(let value): "\(value)"
    case .double(let value): RealText.text(value)
    case .string(let value): field(value)
    case .blob(let data): data.hexadecimal()
    }
  }

  private static func field(_ text: String) -> String {
    let needsQuotes =
      text.isEmpty || text.first == " " || text.last == " "
      || text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    guard needsQuotes else { return text }
    return "\"" + text.replacingScalar("\"", with: "\"\"") + "\""
  }
}
