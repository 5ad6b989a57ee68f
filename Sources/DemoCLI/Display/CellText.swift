internal import CommandLineSupport
internal import FoundationEssentials
internal import Storage

/// The text of a database value in a table.
enum CellText {
  /// Returns the text of a value, cut to `limit` columns.
  ///
  /// A part of a number would be another number: a number that does not fit is a row of `#`.
  static func text(for value: DatabaseValue, limit: Int) -> DisplayText {
    switch value.storage {
    case .null: DisplayText("NULL", limit: limit)
    case .int64(let value): number("\(value)", limit: limit)
    case .double(let value): number(RealText.text(value), limit: limit)
    case .string(let value): DisplayText(value, limit: limit)
    case .blob(let data): DisplayText(text(for: data), limit: limit)
    }
  }

  private static func number(_ text: String, limit: Int) -> DisplayText {
    let fits = text.utf8.count <= limit
    return DisplayText(fits ? text : String(repeating: "#", count: limit))
  }

  /// Returns whether a value is a number, which is aligned to the right.
  static func isNumber(_ value: DatabaseValue) -> Bool {
    switch value.storage {
    case .int64, .double: true
    case .null, .string, .blob: false
    }
  }

  /// Returns whether a column holds numbers and no other values but NULL.
  static func areNumbers(_ rows: [[DatabaseValue]], column: Int) -> Bool {
    let values = rows.lazy.map { $0[column] }
    return values.contains { !$0.isNull } && values.allSatisfy { $0.isNull || isNumber($0) }
  }

  /// The number of bytes that are shown of a blob. Longer blobs are shown with their size.
  private static let shownBytes = 16

  private static func text(for data: Data) -> String {
    let digits = data.prefix(shownBytes).map { $0.hexadecimal(uppercase: true) }
    guard data.count > shownBytes else { return "x'\(digits.joined())'" }
    return "x'\(digits.joined())…' (\(data.count) bytes)"
  }
}
