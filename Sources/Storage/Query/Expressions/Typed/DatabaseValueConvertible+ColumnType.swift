public import FoundationEssentials

// The column types for the values of Swift types.

extension DatabaseValueConvertible where Self: FixedWidthInteger {
  /// `INTEGER`
  public static var databaseColumnType: Database.ColumnType? { .integer }
}

extension DatabaseValueConvertible where Self: BinaryFloatingPoint {
  /// `REAL`
  public static var databaseColumnType: Database.ColumnType? { .real }
}

extension DatabaseValueConvertible
where Self: RawRepresentable, RawValue: DatabaseValueConvertible {
  /// The column type of the raw value.
  public static var databaseColumnType: Database.ColumnType? { RawValue.databaseColumnType }
}

extension String {
  /// `TEXT`
  public static var databaseColumnType: Database.ColumnType? { .text }
}

extension Bool {
  /// `BOOLEAN`
  public static var databaseColumnType: Database.ColumnType? { .boolean }
}

extension Data {
  /// `BLOB`
  public static var databaseColumnType: Database.ColumnType? { .blob }
}

extension Date {
  /// `DATETIME`
  public static var databaseColumnType: Database.ColumnType? { .datetime }
}
