internal import CWellspringSQLite

extension DatabaseValue: DatabaseValueConvertible {
  /// The value itself.
  public var databaseValue: DatabaseValue { self }

  /// The value itself.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> DatabaseValue? { value }

  /// Copies the column's value.
  public static func fromColumnValue(_ column: ColumnValue) -> DatabaseValue? {
    column.databaseValue
  }

  /// Binds the value in its storage class.
  public func bind(to parameter: StatementParameter) -> Int32 {
    switch storage {
    case .null: parameter.bindNull()
    case .int64(let value): parameter.bind(value)
    case .double(let value):
      UnstorableValue(value) == nil ? parameter.bind(value) : UnstorableValue.bindingResult
    case .string(let value): parameter.bind(value)
    case .blob(let data): parameter.bind(data)
    }
  }
}
