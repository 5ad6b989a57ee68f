public import CWellspringSQLite

extension String: DatabaseValueConvertible {
  /// The string as a TEXT.
  public var databaseValue: DatabaseValue { DatabaseValue(storage: .string(self)) }

  /// Reads a TEXT, or a BLOB that holds valid UTF-8.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> String? {
    switch value.storage {
    case .string(let value): value
    case .blob(let data): String(validating: data, as: UTF8.self)
    default: nil
    }
  }

  /// Reads a TEXT, or a BLOB that holds valid UTF-8.
  @inlinable
  public static func fromColumnValue(_ column: ColumnValue) -> String? {
    let type = column.type
    if type == SQLITE_TEXT { return column.string }
    return type == SQLITE_BLOB ? fromBlob(column) : nil
  }

  // Not copied into the code that reads a column: it is rarely needed.
  @usableFromInline
  @inline(never)
  static func fromBlob(_ column: ColumnValue) -> String? {
    column.withUnsafeBytes { UTF8Text.string($0.assumingMemoryBound(to: UInt8.self)) }
  }

  /// Binds a TEXT.
  public func bind(to parameter: StatementParameter) -> Int32 { parameter.bind(self) }
}
