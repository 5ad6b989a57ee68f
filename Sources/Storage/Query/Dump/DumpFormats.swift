internal import Foundation

/// One line for each row, with the values as text.
///
///     try db.dumpSQL("SELECT * FROM player", format: .list(header: true))
///     // id|name|score
///     // 1|Arthur|500
///     // 2|Barbara|
public struct ListDumpFormat: DumpFormat {
  /// What stands between two values.
  public var separator: String
  /// What stands for NULL.
  public var nullString: String
  /// Whether the first line holds the names of the columns.
  public var header: Bool
  private var isFirst = true

  /// Makes a format.
  ///
  /// - Parameters:
  ///   - separator: What stands between two values.
  ///   - nullString: What stands for NULL.
  ///   - header: Whether the first line holds the names of the columns.
  public init(separator: String = "|", nullString: String = "", header: Bool = false) {
    self.separator = separator
    self.nullString = nullString
    self.header = header
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public mutating func write(_ row: DumpedRow, to stream: inout DumpStream) {
    if isFirst, header { stream.writeLine(row.columnNames.joined(separator: separator)) }
    isFirst = false
    let values = (0..<row.count).map { row.text(at: $0) ?? nullString }
    stream.writeLine(values.joined(separator: separator))
  }
}

/// One line for each value, behind the name of its column.
///
///     try db.dumpSQL("SELECT * FROM player", format: .line())
///     //    id = 1
///     //  name = Arthur
///     // score = 500
///     //
///     //    id = 2
///     //  name = Barbara
///     // score =
public struct LineDumpFormat: DumpFormat {
  /// What stands for NULL.
  public var nullString: String
  private var isFirst = true

  /// Makes a format.
  ///
  /// - Parameter nullString: What stands for NULL.
  public init(nullString: String = "") {
    self.nullString = nullString
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public mutating func write(_ row: DumpedRow, to stream: inout DumpStream) {
    if !isFirst { stream.margin() }
    isFirst = false
    let width = max(5, row.columnNames.map(\.count).max() ?? 0)
    for (index, name) in row.columnNames.enumerated() {
      let padding = String(repeating: " ", count: width - name.count)
      stream.writeLine("\(padding)\(name) = \(row.text(at: index) ?? nullString)")
    }
  }
}

/// One line for each row, with the values as SQL literals.
///
///     try db.dumpSQL("SELECT * FROM player", format: .quote(header: true))
///     // 'id','name','score'
///     // 1,'Arthur',500
///     // 2,'Barbara',NULL
public struct QuoteDumpFormat: DumpFormat {
  /// What stands between two values.
  public var separator: String
  /// Whether the first line holds the names of the columns.
  public var header: Bool
  private var isFirst = true

  /// Makes a format.
  ///
  /// - Parameters:
  ///   - separator: What stands between two values.
  ///   - header: Whether the first line holds the names of the columns.
  public init(separator: String = ",", header: Bool = false) {
    self.separator = separator
    self.header = header
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public mutating func write(_ row: DumpedRow, to stream: inout DumpStream) {
    if isFirst, header { writeLine(row.columnNames.map(\.databaseValue), to: &stream) }
    isFirst = false
    writeLine((0..<row.count).map { row[$0] }, to: &stream)
  }

  private func writeLine(_ values: [DatabaseValue], to stream: inout DumpStream) {
    stream.writeLine(values.map(\.shellLiteral).joined(separator: separator))
  }
}

/// An array of objects, one on each line.
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
    // JSON has no word for it: this is what the shell writes, and what most readers take.
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

/// One line for each row, for people: values as text, and blobs that are no text as SQL literals.
///
///     try db.dumpSQL("SELECT * FROM attachment")
///     // 1|photo|X'ffd8'
public struct DebugDumpFormat: DumpFormat {
  /// Whether the first line holds the names of the columns.
  public var header: Bool
  private var isFirst = true

  /// Makes a format.
  ///
  /// - Parameter header: Whether the first line holds the names of the columns.
  public init(header: Bool = false) {
    self.header = header
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public mutating func write(_ row: DumpedRow, to stream: inout DumpStream) {
    if isFirst, header { stream.writeLine(row.columnNames.joined(separator: "|")) }
    isFirst = false
    let values = (0..<row.count).map { index in
      guard case .blob(let data) = row[index].storage else { return row.text(at: index) ?? "" }
      return String(data: data, encoding: .utf8) ?? row[index].shellLiteral
    }
    stream.writeLine(values.joined(separator: "|"))
  }
}

extension DatabaseValue {
  /// The value as an SQL literal, as the shell writes it.
  fileprivate var shellLiteral: String {
    guard case .blob(let data) = storage else { return sqlLiteral }
    return "X'\(data.map { String(format: "%02x", $0) }.joined())'"
  }
}

// MARK: - Their short names

extension DumpFormat where Self == ListDumpFormat {
  /// One line for each row, with the values as text: see ``ListDumpFormat``.
  public static func list(
    separator: String = "|",
    nullString: String = "",
    header: Bool = false
  ) -> Self {
    ListDumpFormat(separator: separator, nullString: nullString, header: header)
  }
}

extension DumpFormat where Self == LineDumpFormat {
  /// One line for each value: see ``LineDumpFormat``.
  public static func line(nullString: String = "") -> Self {
    LineDumpFormat(nullString: nullString)
  }
}

extension DumpFormat where Self == QuoteDumpFormat {
  /// One line for each row, with the values as SQL literals: see ``QuoteDumpFormat``.
  public static func quote(separator: String = ",", header: Bool = false) -> Self {
    QuoteDumpFormat(separator: separator, header: header)
  }
}

extension DumpFormat where Self == JSONDumpFormat {
  /// An array of objects: see ``JSONDumpFormat``.
  public static func json() -> Self { JSONDumpFormat() }
}

extension DumpFormat where Self == DebugDumpFormat {
  /// One line for each row, for people: see ``DebugDumpFormat``.
  public static func debug(header: Bool = false) -> Self { DebugDumpFormat(header: header) }
}
