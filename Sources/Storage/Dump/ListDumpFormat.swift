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
