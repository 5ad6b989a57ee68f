internal import FoundationEssentials

/// One line for each row, for debugging: values as text, and blobs that are not text as SQL
/// literals.
///
///     try db.dumpSQL("SELECT * FROM attachment")
///     // 1|photo|X'ffd8'
public struct DebugDumpFormat: DumpFormat {
  /// Whether the first line contains the names of the columns.
  public var header: Bool
  /// The text between two values.
  public var separator: String
  /// The text for NULL.
  public var nullValue: String
  private var isFirst = true

  /// Makes a format.
  ///
  /// - Parameters:
  ///   - header: Whether the first line contains the names of the columns.
  ///   - separator: The text between two values.
  ///   - nullValue: The text for NULL.
  public init(header: Bool = false, separator: String = "|", nullValue: String = "") {
    self.header = header
    self.separator = separator
    self.nullValue = nullValue
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public mutating func write(_ row: DumpedRow, to stream: inout DumpStream) {
    if isFirst, header { stream.writeLine(row.columnNames.joined(separator: separator)) }
    isFirst = false
    let values = (0..<row.count).map { index in
      guard case .blob(let data) = row[index].storage else {
        return row.text(at: index) ?? nullValue
      }
      return String(data: data, encoding: .utf8) ?? row[index].shellLiteral
    }
    stream.writeLine(values.joined(separator: separator))
  }
}

extension DumpFormat where Self == DebugDumpFormat {
  /// One line for each row, for debugging: see ``DebugDumpFormat``.
  public static func debug(
    header: Bool = false,
    separator: String = "|",
    nullValue: String = ""
  ) -> Self {
    DebugDumpFormat(header: header, separator: separator, nullValue: nullValue)
  }
}

/// One line for each value, after the name of its column.
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
  /// The text for NULL.
  public var nullValue: String
  private var isFirst = true

  /// Makes a format.
  ///
  /// - Parameter nullValue: The text for NULL.
  public init(nullValue: String = "") {
    self.nullValue = nullValue
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public mutating func write(_ row: DumpedRow, to stream: inout DumpStream) {
    if !isFirst { stream.margin() }
    isFirst = false
    let width = max(5, row.columnNames.map(\.count).max() ?? 0)
    for (index, name) in row.columnNames.enumerated() {
      let padding = String(repeating: " ", count: width - name.count)
      stream.writeLine("\(padding)\(name) = \(row.text(at: index) ?? nullValue)")
    }
  }
}

extension DumpFormat where Self == LineDumpFormat {
  /// One line for each value: see ``LineDumpFormat``.
  public static func line(nullValue: String = "") -> Self {
    LineDumpFormat(nullValue: nullValue)
  }
}

/// One line for each row, with the values as text.
///
///     try db.dumpSQL("SELECT * FROM player", format: .list(header: true))
///     // id|name|score
///     // 1|Arthur|500
///     // 2|Barbara|
public struct ListDumpFormat: DumpFormat {
  /// Whether the first line contains the names of the columns.
  public var header: Bool
  /// The text between two values.
  public var separator: String
  /// The text for NULL.
  public var nullValue: String
  private var isFirst = true

  /// Makes a format.
  ///
  /// - Parameters:
  ///   - header: Whether the first line contains the names of the columns.
  ///   - separator: The text between two values.
  ///   - nullValue: The text for NULL.
  public init(header: Bool = false, separator: String = "|", nullValue: String = "") {
    self.separator = separator
    self.nullValue = nullValue
    self.header = header
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public mutating func write(_ row: DumpedRow, to stream: inout DumpStream) {
    if isFirst, header { stream.writeLine(row.columnNames.joined(separator: separator)) }
    isFirst = false
    let values = (0..<row.count).map { row.text(at: $0) ?? nullValue }
    stream.writeLine(values.joined(separator: separator))
  }
}

extension DumpFormat where Self == ListDumpFormat {
  /// One line for each row, with the values as text: see ``ListDumpFormat``.
  public static func list(
    header: Bool = false,
    separator: String = "|",
    nullValue: String = ""
  ) -> Self {
    ListDumpFormat(header: header, separator: separator, nullValue: nullValue)
  }
}

/// One line for each row, with the values as SQL literals.
///
///     try db.dumpSQL("SELECT * FROM player", format: .quote(header: true))
///     // 'id','name','score'
///     // 1,'Arthur',500
///     // 2,'Barbara',NULL
public struct QuoteDumpFormat: DumpFormat {
  /// Whether the first line contains the names of the columns.
  public var header: Bool
  /// The text between two values.
  public var separator: String
  private var isFirst = true

  /// Makes a format.
  ///
  /// - Parameters:
  ///   - header: Whether the first line contains the names of the columns.
  ///   - separator: The text between two values.
  public init(header: Bool = false, separator: String = ",") {
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

extension DumpFormat where Self == QuoteDumpFormat {
  /// One line for each row, with the values as SQL literals: see ``QuoteDumpFormat``.
  public static func quote(header: Bool = false, separator: String = ",") -> Self {
    QuoteDumpFormat(header: header, separator: separator)
  }
}

extension DatabaseValue {
  /// The value as an SQL literal in the notation of the shell.
  var shellLiteral: String {
    guard case .blob(let data) = storage else { return sqlLiteral }
    return "X'\(data.hexadecimal())'"
  }
}
