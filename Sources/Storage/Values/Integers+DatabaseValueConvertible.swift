// The other widths of integers, which are stored as INTEGER. A value that does not fit is refused.

extension Int8: DatabaseValueConvertible {
  /// An INTEGER.
  public var databaseValue: DatabaseValue { integerValue(self) }

  /// Reads an INTEGER, or a REAL that is exactly an integer, when it fits.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Int8? { integer(from: value) }
}

extension Int16: DatabaseValueConvertible {
  /// An INTEGER.
  public var databaseValue: DatabaseValue { integerValue(self) }

  /// Reads an INTEGER, or a REAL that is exactly an integer, when it fits.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Int16? { integer(from: value) }
}

extension Int32: DatabaseValueConvertible {
  /// An INTEGER.
  public var databaseValue: DatabaseValue { integerValue(self) }

  /// Reads an INTEGER, or a REAL that is exactly an integer, when it fits.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Int32? { integer(from: value) }
}

extension UInt8: DatabaseValueConvertible {
  /// An INTEGER.
  public var databaseValue: DatabaseValue { integerValue(self) }

  /// Reads an INTEGER, or a REAL that is exactly an integer, when it fits.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> UInt8? { integer(from: value) }
}

extension UInt16: DatabaseValueConvertible {
  /// An INTEGER.
  public var databaseValue: DatabaseValue { integerValue(self) }

  /// Reads an INTEGER, or a REAL that is exactly an integer, when it fits.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> UInt16? { integer(from: value) }
}

extension UInt32: DatabaseValueConvertible {
  /// An INTEGER.
  public var databaseValue: DatabaseValue { integerValue(self) }

  /// Reads an INTEGER, or a REAL that is exactly an integer, when it fits.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> UInt32? { integer(from: value) }
}

extension UInt64: DatabaseValueConvertible {
  /// An INTEGER; for numbers over `Int64.max` a TEXT, which SQLite cannot compute with.
  public var databaseValue: DatabaseValue { integerValue(self) }

  /// Reads an INTEGER, or a REAL that is exactly an integer, when it fits.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> UInt64? { integer(from: value) }
}

extension UInt: DatabaseValueConvertible {
  /// An INTEGER; for numbers over `Int64.max` a TEXT, which SQLite cannot compute with.
  public var databaseValue: DatabaseValue { integerValue(self) }

  /// Reads an INTEGER, or a REAL that is exactly an integer, when it fits.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> UInt? { integer(from: value) }
}

private func integerValue(_ integer: some FixedWidthInteger) -> DatabaseValue {
  Int64(exactly: integer).map { DatabaseValue(storage: .int64($0)) }
    ?? DatabaseValue(storage: .string(String(integer)))
}

private func integer<Integer: FixedWidthInteger>(from value: DatabaseValue) -> Integer? {
  if let integer = Int64.fromDatabaseValue(value) { return Integer(exactly: integer) }
  // The text of an integer over `Int64.max`, and no other.
  guard case .string(let text) = value.storage, let integer = Integer(text),
    Int64(exactly: integer) == nil
  else { return nil }
  return integer
}
