/// A type with a raw value, such as an enum, is stored as that value:
///
///     enum Color: Int, DatabaseValueConvertible { case red, white, rose }
extension DatabaseValueConvertible
where Self: RawRepresentable, RawValue: DatabaseValueConvertible {
  /// The database value of the raw value.
  public var databaseValue: DatabaseValue { rawValue.databaseValue }

  /// Reads a raw value. A value without a case gives `nil`.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    RawValue.fromDatabaseValue(value).flatMap(Self.init(rawValue:))
  }

  /// Reads a raw value. A value without a case gives `nil`.
  @inlinable
  public static func fromColumnValue(_ column: ColumnValue) -> Self? {
    RawValue.fromColumnValue(column).flatMap(Self.init(rawValue:))
  }

  /// Binds the raw value.
  @inlinable
  public func bind(to parameter: StatementParameter) -> Int32 { rawValue.bind(to: parameter) }
}

// A type that is both `RawRepresentable` and `Codable` has two conversions: that of the raw value
// wins.

extension DatabaseValueConvertible
where Self: RawRepresentable & Encodable, RawValue: DatabaseValueConvertible {
  /// The database value of the raw value.
  public var databaseValue: DatabaseValue { rawValue.databaseValue }
}

extension DatabaseValueConvertible
where Self: RawRepresentable & Decodable, RawValue: DatabaseValueConvertible {
  /// Reads a raw value. A value without a case gives `nil`.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    RawValue.fromDatabaseValue(value).flatMap(Self.init(rawValue:))
  }
}
