public import CWellspringSQLite

extension Int64: DatabaseValueConvertible {
  /// An INTEGER.
  public var databaseValue: DatabaseValue { DatabaseValue(storage: .int64(self)) }

  /// Reads an INTEGER, or a REAL that is exactly an integer.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Int64? {
    switch value.storage {
    case .int64(let value): value
    case .double(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// Reads an INTEGER, or a REAL that is exactly an integer.
  @inlinable
  public static func fromColumnValue(_ column: ColumnValue) -> Int64? {
    let type = column.type
    if type == SQLITE_INTEGER { return column.int64 }
    return type == SQLITE_FLOAT ? Int64(exactly: column.double) : nil
  }

  /// Binds an INTEGER.
  @inlinable
  public func bind(to parameter: StatementParameter) -> Int32 { parameter.bind(self) }
}

extension Int: DatabaseValueConvertible {
  /// An INTEGER.
  public var databaseValue: DatabaseValue { DatabaseValue(storage: .int64(Int64(self))) }

  /// Reads an INTEGER, or a REAL that is exactly an integer.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Int? {
    Int64.fromDatabaseValue(value).flatMap(Int.init(exactly:))
  }

  /// Reads an INTEGER, or a REAL that is exactly an integer.
  @inlinable
  public static func fromColumnValue(_ column: ColumnValue) -> Int? {
    guard let value = Int64.fromColumnValue(column) else { return nil }
    return Int(exactly: value)
  }

  /// Binds an INTEGER.
  @inlinable
  public func bind(to parameter: StatementParameter) -> Int32 { parameter.bind(Int64(self)) }
}

extension Bool: DatabaseValueConvertible {
  /// The INTEGER 1 or 0.
  public var databaseValue: DatabaseValue { DatabaseValue(storage: .int64(self ? 1 : 0)) }

  /// Reads a number as SQL does: zero is false, all others are true.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Bool? {
    switch value.storage {
    case .int64(let value): value != 0
    case .double(let value): value != 0
    default: nil
    }
  }

  /// Reads a number as SQL does: zero is false, all others are true.
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

extension Double: DatabaseValueConvertible {
  /// A REAL.
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
