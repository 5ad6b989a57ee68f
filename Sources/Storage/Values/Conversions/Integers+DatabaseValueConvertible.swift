public import CWellspringSQLite

extension Int64: DatabaseValueConvertible {
  /// The value as an INTEGER.
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
    return type == SQLITE_FLOAT ? fromReal(column) : nil
  }

  // Not copied into the code that reads a column: it is longer than the usual conversion.
  @usableFromInline
  @inline(never)
  static func fromReal(_ column: ColumnValue) -> Int64? { Int64(exactly: column.double) }

  /// Binds an INTEGER.
  @inlinable
  public func bind(to parameter: StatementParameter) -> Int32 { parameter.bind(self) }
}

extension Int: DatabaseValueConvertible {
  /// The value as an INTEGER.
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

extension Int8: DatabaseValueConvertible {}
extension Int16: DatabaseValueConvertible {}
extension Int32: DatabaseValueConvertible {}
extension UInt8: DatabaseValueConvertible {}
extension UInt16: DatabaseValueConvertible {}
extension UInt32: DatabaseValueConvertible {}
extension UInt64: DatabaseValueConvertible {}
extension UInt: DatabaseValueConvertible {}

// The constraint to `Codable`, which all integers of the standard library satisfy, makes this
// conversion more specific than that of `Codable` types; the two would be ambiguous without it.
extension DatabaseValueConvertible where Self: FixedWidthInteger & Codable {
  /// The value as an INTEGER. Numbers over `Int64.max` are a TEXT, with which SQLite cannot
  /// compute.
  public var databaseValue: DatabaseValue {
    Int64(exactly: self).map { DatabaseValue(storage: .int64($0)) }
      ?? DatabaseValue(storage: .string(String(self)))
  }

  /// Reads an INTEGER, or a REAL that is exactly an integer, when it fits the type.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    if let integer = Int64.fromDatabaseValue(value) { return Self(exactly: integer) }
    // Only integers over `Int64.max` are stored as text.
    guard case .string(let text) = value.storage, let integer = Self(text),
      Int64(exactly: integer) == nil
    else { return nil }
    return integer
  }

  /// Reads an INTEGER, or a REAL that is exactly an integer, when it fits the type.
  @inlinable
  public static func fromColumnValue(_ column: ColumnValue) -> Self? {
    if column.type == SQLITE_INTEGER { return Self(exactly: column.int64) }
    return fromDatabaseValue(column.databaseValue)
  }

  /// Binds an INTEGER, or a TEXT for numbers over `Int64.max`.
  @inlinable
  public func bind(to parameter: StatementParameter) -> Int32 {
    guard let integer = Int64(exactly: self) else { return databaseValue.bind(to: parameter) }
    return parameter.bind(integer)
  }
}
