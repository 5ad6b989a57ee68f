internal import Foundation
internal import Storage

/// A watched value as one line of JSON.
///
///     {"number":12,"columns":["id","name"],"rows":[[1,"cup"],[2,null]]}
///
/// Rows are arrays, because column names need not be unique.
struct JSONLine {
  private var bytes: [UInt8] = []

  /// Returns the line of a value in UTF-8, including the line feed.
  static func encode(_ value: WatchedValue) -> [UInt8] {
    var line = JSONLine()
    line.bytes += "{\"number\":\(value.number),\"columns\":".utf8
    line.appendArray(value.result.columns) { $0.append($1) }
    line.bytes += ",\"rows\":".utf8
    line.appendArray(value.result.rows) { line, row in
      line.appendArray(row) { $0.append($1.storage) }
    }
    line.bytes += "}\n".utf8
    return line.bytes
  }

  private mutating func appendArray<Element>(
    _ elements: [Element],
    append: (inout JSONLine, Element) -> Void
  ) {
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(&self, element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func append(_ value: DatabaseValue.Storage) {
    switch value {
    case .null: bytes += "null".utf8
    case .int64(let value): bytes += "\(value)".utf8
    case .double(let value): append(value)
    case .string(let value): append(value)
    case .blob(let data): bytes += "{\"base64\":\"\(data.base64EncodedString())\"}".utf8
    }
  }

  private mutating func append(_ value: Double) {
    // JSON has no infinity, but parsers read these numbers as infinity. SQLite has no NaN.
    switch value {
    case .infinity: bytes += "1e999".utf8
    case -.infinity: bytes += "-1e999".utf8
    default: bytes += "\(value)".utf8
    }
  }

  private mutating func append(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += "\\\"".utf8
      case UInt8(ascii: "\\"): bytes += "\\\\".utf8
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      case UInt8(ascii: "\r"): bytes += "\\r".utf8
      case UInt8(ascii: "\t"): bytes += "\\t".utf8
      case 0..<0x10: bytes += "\\u000\(String(byte, radix: 16))".utf8
      case 0x10..<0x20, 0x7F: bytes += "\\u00\(String(byte, radix: 16))".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
