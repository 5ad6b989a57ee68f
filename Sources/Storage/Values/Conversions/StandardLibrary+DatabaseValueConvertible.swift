public import CWellspringSQLite
internal import FoundationEssentials

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
// conversion more specific than the conversion of `Codable` types; the two would be ambiguous
// without it.
extension DatabaseValueConvertible where Self: FixedWidthInteger & Codable {
  /// The value as an INTEGER. Numbers over `Int64.max` are a TEXT. SQLite cannot compute with it.
  ///
  /// A column of type `INTEGER` would turn such a text into a rounded REAL, and a column of type
  /// `TEXT` all smaller numbers into texts. So a table declares a `TypedColumn<UInt64>` without a
  /// type, or as `ANY` if it is strict. A primary key that is only this column is an `INTEGER`: a
  /// row id, which cannot be such a number.
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

extension Float: DatabaseValueConvertible {
  /// The value as a REAL.
  public var databaseValue: DatabaseValue { Double(self).databaseValue }

  /// Reads a REAL or an INTEGER, rounded to the nearest `Float`. A number that is too large for a
  /// `Float` is refused.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Float? {
    Double.fromDatabaseValue(value).flatMap(Float.init(rounding:))
  }

  /// Reads the same values as ``fromDatabaseValue(_:)``.
  public static func fromColumnValue(_ column: ColumnValue) -> Float? {
    Double.fromColumnValue(column).flatMap(Float.init(rounding:))
  }

  /// Binds a REAL.
  @inlinable
  public func bind(to parameter: StatementParameter) -> Int32 { parameter.bind(Double(self)) }

  private init?(rounding value: Double) {
    self.init(value)
    if isInfinite, value.isFinite { return nil }
  }
}

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

extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Unwrapped = Wrapped.Unwrapped

  /// The column type of the wrapped type.
  public static var databaseColumnType: Database.ColumnType? { Wrapped.databaseColumnType }

  /// The database value of the wrapped value, or NULL for `nil`.
  public var databaseValue: DatabaseValue { self?.databaseValue ?? .null }

  /// Returns `.some(nil)` for NULL, and `nil` for a value that does not fit `Wrapped`.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Wrapped?? {
    value.isNull ? .some(nil) : Wrapped.fromDatabaseValue(value).map(Optional.some)
  }

  /// Returns `.some(nil)` for NULL, and `nil` for a value that does not fit `Wrapped`.
  @inlinable
  public static func fromColumnValue(_ column: ColumnValue) -> Wrapped?? {
    // `Wrapped` is tried first: most values are not NULL, and reading NULL as a `Wrapped` fails.
    if let value = Wrapped.fromColumnValue(column) { return .some(value) }
    return column.isNull ? .some(nil) : nil
  }

  /// Binds the wrapped value, or NULL.
  @inlinable
  public func bind(to parameter: StatementParameter) -> Int32 {
    switch self {
    case .some(let value): value.bind(to: parameter)
    case .none: parameter.bindNull()
    }
  }
}

extension Optional: Fetchable where Wrapped: DatabaseValueConvertible {}
