#if !WELLSPRING_WITHOUT_ICU
  public import Foundation

  extension CGFloat: DatabaseValueConvertible {
    /// The value as a REAL.
    public var databaseValue: DatabaseValue { Double(self).databaseValue }

    /// Reads a REAL or an INTEGER.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> CGFloat? {
      Double.fromDatabaseValue(value).map { CGFloat($0) }
    }

    /// Reads a REAL or an INTEGER.
    public static func fromColumnValue(_ column: ColumnValue) -> CGFloat? {
      Double.fromColumnValue(column).map { CGFloat($0) }
    }
  }
#endif
