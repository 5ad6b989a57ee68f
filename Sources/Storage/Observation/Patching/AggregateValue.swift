internal import CWellspringSQLite
internal import FoundationEssentials

/// A value of an aggregate query, byte for byte as SQLite has it: Swift takes texts for equal that
/// are other ones for SQLite.
enum AggregateValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  /// Reads a column of the row at which a statement is.
  init(_ statement: OpaquePointer, column: Int32) {
    func bytes(_ start: UnsafeRawPointer?) -> [UInt8] {
      let count = Int(sqlite3_column_bytes(statement, column))
      return start.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT: self = .text(bytes(sqlite3_column_text(statement, column)))
    case SQLITE_BLOB: self = .blob(bytes(sqlite3_column_blob(statement, column)))
    default: self = .null
    }
  }

  /// The value as an argument of a statement; `nil` if it would be another one there, because it is
  /// a text that is not in UTF-8.
  var databaseValue: DatabaseValue? {
    switch self {
    case .null: .null
    case .integer(let value): DatabaseValue(storage: .int64(value))
    case .real(let value): DatabaseValue(storage: .double(value))
    case .text(let bytes): String(validating: bytes, as: UTF8.self)?.databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }

  /// The bytes that it takes beside its place.
  var memory: Int {
    switch self {
    case .null, .integer, .real: 16
    case .text(let bytes), .blob(let bytes): 48 + bytes.count
    }
  }
}
