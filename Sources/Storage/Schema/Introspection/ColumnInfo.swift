/// A column of a table, as the schema declares it.
public struct ColumnInfo: Hashable, Sendable {
  /// The name, spelled as in the declaration.
  public let name: String

  /// The declared type, such as `INTEGER` or `VARCHAR(20)`; empty when there is none.
  public let type: String

  /// Whether the column is declared `NOT NULL`.
  public let isNotNull: Bool

  /// The default value, as SQL; `nil` when there is none.
  public let defaultValueSQL: String?

  /// The position in the primary key, counted from 1; 0 for columns outside it.
  public let primaryKeyIndex: Int

  /// Whether the value is computed from other columns, and cannot be written.
  public var isGenerated: Bool { generation != nil }

  /// When the value of a generated column is computed; `nil` for ordinary columns.
  public let generation: ColumnDefinition.GeneratedColumnQualification?

  /// - Throws: ``RowDecodingError`` when a damaged schema has text that is not valid UTF-8.
  init(_ column: DeclaredColumn) throws {
    try column.checkTexts()
    name = column.name
    type = column.type
    isNotNull = column.isNotNull
    defaultValueSQL = column.defaultSQL
    primaryKeyIndex = column.keyPosition
    generation =
      switch column.kind {
      case .virtual: .virtual
      case .stored: .stored
      case .plain, .hidden: nil
      }
  }

  /// Whether the column has the given name, ignoring case.
  func `is`(_ name: String) -> Bool { self.name.asciiLowercased == name.asciiLowercased }
}
