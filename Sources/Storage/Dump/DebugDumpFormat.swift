internal import Foundation

/// One line for each row, for debugging: values as text, and blobs that are not text as SQL
/// literals.
///
///     try db.dumpSQL("SELECT * FROM attachment")
///     // 1|photo|X'ffd8'
public struct DebugDumpFormat: DumpFormat {
  /// Whether the first line contains the names of the columns.
  public var header: Bool
  private var isFirst = true

  /// Makes a format.
  ///
  /// - Parameter header: Whether the first line contains the names of the columns.
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

extension DumpFormat where Self == DebugDumpFormat {
  /// One line for each row, for debugging: see ``DebugDumpFormat``.
  public static func debug(header: Bool = false) -> Self { DebugDumpFormat(header: header) }
}
