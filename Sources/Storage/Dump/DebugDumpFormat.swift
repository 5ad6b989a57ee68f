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
