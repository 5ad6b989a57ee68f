internal import CWellspringSQLite
public import FoundationEssentials

extension Data: DatabaseValueConvertible {
  /// The data as a BLOB.
  public var databaseValue: DatabaseValue { DatabaseValue(storage: .blob(self)) }

  /// Reads a BLOB, or the UTF-8 bytes of a TEXT.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Data? {
    switch value.storage {
    case .blob(let data): data
    case .string(let value): Data(value.utf8)
    default: nil
    }
  }

  /// Reads a BLOB, or the UTF-8 bytes of a TEXT.
  public static func fromColumnValue(_ column: ColumnValue) -> Data? {
    switch column.type {
    case SQLITE_BLOB, SQLITE_TEXT: column.data
    default: nil
    }
  }

  /// Binds a BLOB.
  public func bind(to parameter: StatementParameter) -> Int32 { parameter.bind(self) }
}
