extension Float: DatabaseValueConvertible {
  /// A REAL.
  public var databaseValue: DatabaseValue { Double(self).databaseValue }

  /// Reads a REAL or an INTEGER, rounded to the nearest `Float`.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Float? {
    Double.fromDatabaseValue(value).map { Float($0) }
  }
}
