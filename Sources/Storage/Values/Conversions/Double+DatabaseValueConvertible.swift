public import CWellspringSQLite

extension Double: DatabaseValueConvertible {
  /// The value as a REAL.
  public var databaseValue: DatabaseValue { DatabaseValue(storage: .double(self)) }

  /// Reads a REAL or an INTEGER.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Double? {
    switch value.storage {
    case .double(let value): value
    case .int64(let value): Double(value)
    default: nil
    }
  }

  /// Reads a REAL or an INTEGER.
  @inlinable
  public static func fromColumnValue(_ column: ColumnValue) -> Double? {
    let type = column.type
    if type == SQLITE_FLOAT { return column.double }
    return type == SQLITE_INTEGER ? Double(column.int64) : nil
  }

  /// Binds a REAL.
  @inlinable
  public func bind(to parameter: StatementParameter) -> Int32 { parameter.bind(self) }
}
