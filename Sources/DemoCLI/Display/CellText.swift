internal import Foundation
internal import Storage

/// How a value of the database looks in a table.
enum CellText {
  /// The text of a value, of which at most `limit` columns are wanted.
  static func text(for value: DatabaseValue, limit: Int) -> DisplayText {
    switch value.storage {
    case .null: DisplayText("NULL", limit: limit)
    case .int64(let value): DisplayText("\(value)", limit: limit)
    case .double(let value): DisplayText("\(value)", limit: limit)
    case .string(let value): DisplayText(value, limit: limit)
    case .blob(let data): DisplayText(text(for: data), limit: limit)
    }
  }

  /// Whether a value is a number, which stands at the right side of its column.
  static func isNumber(_ value: DatabaseValue) -> Bool {
    switch value.storage {
    case .int64, .double: true
    case .null, .string, .blob: false
    }
  }

  /// How many bytes of a blob are shown: beyond that, only its size tells blobs apart.
  private static let shownBytes = 16

  private static func text(for data: Data) -> String {
    let digits = data.prefix(shownBytes).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    guard data.count > shownBytes else { return "x'\(digits.joined())'" }
    return "x'\(digits.joined())…' (\(data.count) bytes)"
  }
}
