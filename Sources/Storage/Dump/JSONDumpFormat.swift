public import FoundationEssentials

/// A JSON array of objects, with one object on each line.
///
///     try db.dumpSQL("SELECT * FROM player", format: .json())
///     // [{"id":1,"name":"Arthur","score":500},
///     // {"id":2,"name":"Barbara","score":null}]
///
/// Blobs are Base64 text.
public struct JSONDumpFormat: DumpFormat {
  /// A new encoder as the format uses it by default: infinite numbers are `"inf"` and `"-inf"`, and
  /// blobs are Base64 text.
  public static var defaultEncoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf",
      negativeInfinity: "-inf",
      nan: "nan"
    )
    encoder.dataEncodingStrategy = .base64
    return encoder
  }

  /// The encoder of the values.
  public var encoder: JSONEncoder
  private var isFirst = true

  /// Makes a format.
  ///
  /// - Parameter encoder: The encoder of the values. If it is pretty-printing, each value has its
  ///   own line.
  public init(encoder: JSONEncoder = JSONDumpFormat.defaultEncoder) {
    self.encoder = encoder
  }

  private var isPretty: Bool { encoder.outputFormatting.contains(.prettyPrinted) }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public mutating func write(_ row: DumpedRow, to stream: inout DumpStream) throws {
    stream.write(isFirst ? (isPretty ? "[\n  {" : "[{") : (isPretty ? ",\n  {" : ",\n{"))
    isFirst = false
    for (index, name) in row.columnNames.enumerated() {
      if index > 0 { stream.write(",") }
      if isPretty { stream.write("\n    ") }
      stream.write("\(try json(name)):\(isPretty ? " " : "")\(try json(row, index))")
    }
    stream.write(isPretty ? "\n  }" : "}")
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public mutating func finish(to stream: inout DumpStream) {
    stream.writeLine(isFirst ? "[]" : isPretty ? "\n]" : "]")
  }

  private func json(_ row: DumpedRow, _ index: Int) throws -> String {
    switch row[index].storage {
    case .null: "null"
    case .int64(let value): String(value)
    case .double(let value): try json(value)
    case .blob(let data): try json(data)
    case .string: try json(row.text(at: index) ?? "")
    }
  }

  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

extension DumpFormat where Self == JSONDumpFormat {
  /// A JSON array of objects: see ``JSONDumpFormat``.
  ///
  ///     let encoder = JSONDumpFormat.defaultEncoder
  ///     encoder.outputFormatting = .prettyPrinted
  ///     try db.dumpContent(format: .json(encoder: encoder))
  public static func json(encoder: JSONEncoder = JSONDumpFormat.defaultEncoder) -> Self {
    JSONDumpFormat(encoder: encoder)
  }
}
