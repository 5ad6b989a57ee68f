internal import Foundation

/// A JSON array of objects, with one object on each line.
///
///     try db.dumpSQL("SELECT * FROM player", format: .json())
///     // [{"id":1,"name":"Arthur","score":500},
///     // {"id":2,"name":"Barbara","score":null}]
///
/// Blobs are shown as text.
public struct JSONDumpFormat: DumpFormat {
  private var isFirst = true

  /// Makes a format.
  public init() {}

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public mutating func write(_ row: DumpedRow, to stream: inout DumpStream) {
    stream.write(isFirst ? "[{" : ",\n{")
    isFirst = false
    for (index, name) in row.columnNames.enumerated() {
      if index > 0 { stream.write(",") }
      stream.write("\(Self.quoted(name)):\(Self.json(row, index))")
    }
    stream.write("}")
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public mutating func finish(to stream: inout DumpStream) {
    stream.writeLine(isFirst ? "[]" : "]")
  }

  private static func json(_ row: DumpedRow, _ index: Int) -> String {
    switch row[index].storage {
    case .null: "null"
    case .int64(let value): String(value)
    // JSON has no infinity. The shell writes this number, and most parsers read it as infinity.
    case .double(let value) where value.isInfinite: value < 0 ? "-1e999" : "1e999"
    case .double(let value): value.description
    case .string, .blob: quoted(row.text(at: index) ?? "")
    }
  }

  private static func quoted(_ string: String) -> String {
    var quoted = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{8}": quoted += "\\b"
      case "\u{C}": quoted += "\\f"
      case _ where scalar.value < 0x20: quoted += String(format: "\\u%04x", scalar.value)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension DumpFormat where Self == JSONDumpFormat {
  /// A JSON array of objects: see ``JSONDumpFormat``.
  public static func json() -> Self { JSONDumpFormat() }
}
