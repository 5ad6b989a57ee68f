internal import FoundationEssentials

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
