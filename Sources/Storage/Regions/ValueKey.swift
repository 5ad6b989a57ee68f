internal import CWellspringSQLite

/// A value in a form that is the same for all values that SQLite treats as equal.
///
/// SQLite may tell values apart that have the same key, so a key excludes no row by mistake.
struct ValueKey: Hashable, Sendable {
  /// The encoding of ``RowKey``; empty for NULL.
  let bytes: [UInt8]

  static let null = ValueKey(bytes: [])

  /// Longer keys of changed rows are not kept.
  static let maximumLength = 1024

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The key of a row id.
  init(rowID: Int64) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    bytes.appendKey(rowID)
    self.bytes = bytes
  }

  var isText: Bool { RowKey.isText(bytes) }

  /// The row id that the value is equal to, if it is one.
  var rowID: Int64? {
    guard case .int64(let id)? = RowKey(bytes: bytes).values.first?.storage else { return nil }
    return id
  }

  /// The key of a column in the preupdate hook.
  ///
  /// - Returns: `nil` if SQLite has no memory for the value, or if it is a text that is not UTF-8.
  init?(_ value: OpaquePointer, _ collation: RowKeyCollation) {
    var bytes: [UInt8] = []
    guard sqlite3_value_type(value) == SQLITE_NULL || bytes.appendKey(value, collation) else {
      return nil
    }
    self.bytes = bytes
  }

  /// The key of a value that a query compares with a column, as the column's affinity converts it.
  ///
  /// - Returns: `nil` if it is in doubt which values the column may have then.
  init?(_ value: DatabaseValue, _ affinity: ColumnAffinity, _ collation: RowKeyCollation) {
    var bytes: [UInt8] = []
    switch value.storage {
    case .null: break
    case .int64(let number):
      switch affinity {
      case .text: bytes.appendKey(String(number), collation)
      // The column has the nearest real number.
      case .real where Int64(exactly: Double(number)) != number: return nil
      case .numeric, .real, .blob: bytes.appendKey(number)
      }
    case .double(let number):
      // SQLite binds NULL for a NaN.
      guard affinity != .text, !number.isNaN else { return nil }
      bytes.appendKey(number)
    case .string(let text):
      guard affinity.keepsText(text) else { return nil }
      bytes.appendKey(text, collation)
    case .blob(let blob):
      bytes.appendKey(blob)
    }
    self.bytes = bytes
  }
}

/// The order of SQLite: NULL, numbers, texts, blobs.
extension ValueKey: Comparable {
  static func < (left: ValueKey, right: ValueKey) -> Bool {
    RowKey.precedes(left.bytes, right.bytes)
  }
}

extension ValueKey: CustomStringConvertible {
  var description: String {
    RowKey(bytes: bytes).values.first?.sqlLiteral ?? "NULL"
  }
}
