public import CWellspringSQLite

extension Bool: DatabaseValueConvertible {
  /// The INTEGER 1 or 0.
  public var databaseValue: DatabaseValue { DatabaseValue(storage: .int64(self ? 1 : 0)) }

  /// Reads a number as SQL does: zero is false, all other numbers are true.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Bool? {
    switch value.storage {
    case .int64(let value): value != 0
    case .double(let value): value != 0
    default: nil
    }
  }

  /// Reads a number as SQL does: zero is false, all other numbers are true.
  @inlinable
  public static func fromColumnValue(_ column: ColumnValue) -> Bool? {
    let type = column.type
    if type == SQLITE_INTEGER { return column.int64 != 0 }
    return type == SQLITE_FLOAT ? column.double != 0 : nil
  }

  /// Binds the INTEGER 1 or 0.
  @inlinable
  public func bind(to parameter: StatementParameter) -> Int32 {
    parameter.bind(Int64(self ? 1 : 0))
  }
}
