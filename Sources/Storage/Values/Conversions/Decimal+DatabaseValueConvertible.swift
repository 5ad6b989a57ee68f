public import FoundationEssentials

extension Decimal: DatabaseValueConvertible {
  /// The number as a TEXT, so that no digit is lost; NULL for NaN.
  ///
  /// In a column of type `NUMERIC`, SQLite converts the text to a number: an INTEGER, or a REAL if
  /// that has all its digits up to the fifteenth. In a column of type `TEXT`, all digits are kept,
  /// but the numbers compare and sort as texts.
  public var databaseValue: DatabaseValue { isNaN ? .null : description.databaseValue }

  /// Reads an INTEGER, a REAL, or a TEXT that is a number as a whole.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Decimal? {
    switch value.storage {
    case .string(let text): Decimal(number: text)
    case .int64(let integer): Decimal(integer)
    // Converted through the shortest text, so that 0.1 becomes exactly 0.1.
    case .double(let real): Decimal(number: String(real))
    default: nil
    }
  }

  /// Parses the whole text. `Decimal(string:)` ignores everything after the number.
  private init?(number text: String) {
    guard DecimalText.isNumber(text.utf8), let decimal = Decimal(string: text), !decimal.isNaN
    else { return nil }
    self = decimal
  }
}
