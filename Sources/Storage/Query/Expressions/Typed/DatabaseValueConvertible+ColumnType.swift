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

extension URL {
  /// `TEXT`
  public static var databaseColumnType: Database.ColumnType? { .text }
}

extension UUID {
  /// `BLOB`
  public static var databaseColumnType: Database.ColumnType? { .blob }
}

extension Decimal {
  /// `NUMERIC`, in which the numbers compare and sort as numbers. In a column of type `TEXT`, they
  /// compare as texts: 24 is less than 5.
  public static var databaseColumnType: Database.ColumnType? { .numeric }
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
