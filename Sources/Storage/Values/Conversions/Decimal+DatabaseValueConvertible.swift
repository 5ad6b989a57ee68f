public import Foundation

extension Decimal: DatabaseValueConvertible {
  /// A TEXT, so that no digit is lost; NULL for NaN. In a column of type `NUMERIC`, SQLite turns the text
  /// into a number.
  public var databaseValue: DatabaseValue { isNaN ? .null : description.databaseValue }

  /// Reads an INTEGER, a REAL, or a TEXT that is a number from its first to its last character.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Decimal? {
    switch value.storage {
    case .string(let text): Decimal(number: text)
    case .int64(let integer): Decimal(integer)
    // By way of the shortest text, so that 12.5 and 0.1 are what they look like.
    case .double(let real): Decimal(number: String(real))
    default: nil
    }
  }

  /// `Decimal(string:)` stops at what is no digit, and says nothing of it.
  private init?(number text: String) {
    guard DecimalText.isNumber(text.utf8), let decimal = Decimal(string: text), !decimal.isNaN
    else { return nil }
    self = decimal
  }
}
