public import CWellspringSQLite

extension Int8: DatabaseValueConvertible {}
extension Int16: DatabaseValueConvertible {}
extension Int32: DatabaseValueConvertible {}
extension UInt8: DatabaseValueConvertible {}
extension UInt16: DatabaseValueConvertible {}
extension UInt32: DatabaseValueConvertible {}
extension UInt64: DatabaseValueConvertible {}
extension UInt: DatabaseValueConvertible {}

// `Codable`, as all of the standard library's integers are: otherwise the conversion of `Codable` types
// would be as good a match.
extension DatabaseValueConvertible where Self: FixedWidthInteger & Codable {
  /// An INTEGER; for numbers over `Int64.max` a TEXT, which SQLite cannot compute with.
  public var databaseValue: DatabaseValue {
    Int64(exactly: self).map { DatabaseValue(storage: .int64($0)) }
      ?? DatabaseValue(storage: .string(String(self)))
  }

  /// Reads an INTEGER, or a REAL that is exactly an integer, when it fits.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    if let integer = Int64.fromDatabaseValue(value) { return Self(exactly: integer) }
    // The text of an integer over `Int64.max`, and no other.
    guard case .string(let text) = value.storage, let integer = Self(text),
      Int64(exactly: integer) == nil
    else { return nil }
    return integer
  }

  /// Reads an INTEGER, or a REAL that is exactly an integer, when it fits.
  @inlinable
  public static func fromColumnValue(_ column: ColumnValue) -> Self? {
    if column.type == SQLITE_INTEGER { return Self(exactly: column.int64) }
    return fromDatabaseValue(column.databaseValue)
  }

  /// Binds an INTEGER; for numbers over `Int64.max` a TEXT.
  @inlinable
  public func bind(to parameter: StatementParameter) -> Int32 {
    guard let integer = Int64(exactly: self) else { return databaseValue.bind(to: parameter) }
    return parameter.bind(integer)
  }
}
