internal import FoundationEssentials

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
