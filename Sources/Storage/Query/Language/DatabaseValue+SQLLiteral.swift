internal import Foundation

extension DatabaseValue {
  /// The value as an SQL literal that SQLite reads as the same value.
  var sqlLiteral: String {
    switch storage {
    case .double(let value) where !value.isFinite:
      // SQLite has no literals for NaN and the infinities. It reads a number out of range as an
      // infinity.
      value.isNaN ? "NULL" : value < 0 ? "-9e999" : "9e999"
    case .string(let text) where text.utf8.contains(0):
      // A NUL would end the statement.
      "CAST(\(DatabaseValue(storage: .blob(Data(text.utf8)))) AS TEXT)"
    case .null, .int64, .double, .string, .blob:
      description
    }
  }
}
