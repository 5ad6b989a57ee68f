internal import FoundationEssentials
internal import Storage

/// JSON under construction, in UTF-8.
///
/// A blob is `{"base64":"…"}`, an infinite number `1e999` or `-1e999`.
struct JSONText {
  var bytes: [UInt8] = []

  mutating func append(raw text: String) { bytes += text.utf8 }

  mutating func append(_ value: DatabaseValue) {
    switch value.storage {
    case .null: append(raw: "null")
    case .int64(let value): append(raw: "\(value)")
    case .double(let value): append(value)
    case .string(let value): append(value)
    case .blob(let data): append(raw: "{\"base64\":\"\(data.base64EncodedString())\"}")
    }
  }

  private mutating func append(_ value: Double) {
    // JSON has no infinity, but parsers read these numbers as infinity. SQLite has no NaN.
    switch value {
    case .infinity: append(raw: "1e999")
    case -.infinity: append(raw: "-1e999")
    default: append(raw: "\(value)")
    }
  }

  mutating func append(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append(raw: "\\\"")
      case UInt8(ascii: "\\"): append(raw: "\\\\")
      case UInt8(ascii: "\n"): append(raw: "\\n")
      case UInt8(ascii: "\r"): append(raw: "\\r")
      case UInt8(ascii: "\t"): append(raw: "\\t")
      case 0..<0x10: append(raw: "\\u000\(String(byte, radix: 16))")
      case 0x10..<0x20, 0x7F: append(raw: "\\u00\(String(byte, radix: 16))")
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends an array, whose elements `append` writes.
  mutating func appendArray<Element>(
    _ elements: some Sequence<Element>,
    separator: String = ",",
    append: (inout JSONText, Element) -> Void
  ) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { self.append(raw: separator) }
      isFirst = false
      append(&self, element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Appends an object with the values of a row.
  mutating func append(_ row: [DatabaseValue], names: JSONNames) {
    for (index, value) in row.enumerated() {
      bytes += names.prefixes[index]
      append(value)
    }
    append(raw: row.isEmpty ? "{}" : "}")
  }
}

/// The names of a result's columns as the names of an object's members.
///
/// Members need different names, so the second column `id` becomes `id_2`.
struct JSONNames {
  let names: [String]
  /// The text before each value: `{"id":` for the first, `,"name":` for the second.
  fileprivate let prefixes: [[UInt8]]

  init(columns: [String]) {
    var taken = Set(columns)
    var seen: Set<String> = []
    names = columns.map { column in
      guard !seen.insert(column).inserted else { return column }
      var number = 2
      while !taken.insert("\(column)_\(number)").inserted { number += 1 }
      return "\(column)_\(number)"
    }
    prefixes = names.enumerated().map { index, name in
      var text = JSONText()
      text.append(raw: index == 0 ? "{" : ",")
      text.append(name)
      text.append(raw: ":")
      return text.bytes
    }
  }
}
