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
