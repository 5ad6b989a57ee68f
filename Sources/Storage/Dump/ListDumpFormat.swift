/// One line for each row, with the values as text.
///
///     try db.dumpSQL("SELECT * FROM player", format: .list(header: true))
///     // id|name|score
///     // 1|Arthur|500
///     // 2|Barbara|
public struct ListDumpFormat: DumpFormat {
  /// The text between two values.
  public var separator: String
  /// The text for NULL.
  public var nullString: String
  /// Whether the first line contains the names of the columns.
  public var header: Bool
  private var isFirst = true

  /// Makes a format.
  ///
  /// - Parameters:
  ///   - separator: The text between two values.
  ///   - nullString: The text for NULL.
  ///   - header: Whether the first line contains the names of the columns.
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
