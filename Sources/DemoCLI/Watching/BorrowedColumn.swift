internal import Glibc
internal import Storage

/// A value in the current row of a cursor, which is compared without being copied.
///
/// It must not be kept: it is valid until the cursor's next step.
struct BorrowedColumn: DatabaseValueConvertible {
  private let column: ColumnValue

  // SQLite's codes. https://www.sqlite.org/c3ref/c_blob.html
  private static let integer: Int32 = 1
  private static let real: Int32 = 2
  private static let text: Int32 = 3
  private static let null: Int32 = 5

  static func fromColumnValue(_ column: ColumnValue) -> BorrowedColumn? {
    BorrowedColumn(column: column)
  }

  /// Only a column can be borrowed: `nil`.
  static func fromDatabaseValue(_ value: DatabaseValue) -> BorrowedColumn? { nil }

  /// A copy of the value.
  var databaseValue: DatabaseValue { column.databaseValue }

  /// Returns whether a copy would be the same value, bit by bit.
  func isIdentical(to value: DatabaseValue) -> Bool {
    switch value.storage {
    case .null: column.type == Self.null
    case .int64(let value): column.type == Self.integer && column.int64 == value
    case .double(let value):
      column.type == Self.real && column.double.bitPattern == value.bitPattern
    case .string(let value): column.type == Self.text && hasBytes(of: value)
    case .blob: column.databaseValue == value
    }
  }

  private func hasBytes(of text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { text in
      column.withUnsafeBytes { bytes in
        bytes.count == text.count
          && (bytes.isEmpty || memcmp(bytes.baseAddress!, text.baseAddress!, text.count) == 0)
      }
    } ?? false
  }
}
