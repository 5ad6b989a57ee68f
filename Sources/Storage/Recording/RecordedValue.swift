internal import FoundationEssentials

/// A value of a recorded row, exactly as SQLite stores it: a text may be invalid UTF-8.
package enum RecordedValue: Hashable, Sendable {
  /// NULL.
  case null
  /// An INTEGER.
  case integer(Int64)
  /// A REAL.
  case real(Double)
  /// A TEXT.
  case text(ArraySlice<UInt8>)
  /// A BLOB.
  case blob(ArraySlice<UInt8>)
}

extension RecordedValue: DatabaseValueConvertible {
  package static var databaseColumnType: Database.ColumnType? { nil }

  package var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let bytes): String(decoding: bytes, as: UTF8.self).databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> RecordedValue? {
    switch value.storage {
    case .null: .null
    case .int64(let value): .integer(value)
    case .double(let value): .real(value)
    case .string(let text): .text(ArraySlice(text.utf8))
    case .blob(let data): .blob(ArraySlice(data))
    }
  }

  package func bind(to parameter: StatementParameter) -> Int32 {
    switch self {
    case .null: parameter.bindNull()
    case .integer(let value): parameter.bind(value)
    case .real(let value): parameter.bind(value)
    case .text(let bytes): bytes.withUnsafeBufferPointer { parameter.bind(utf8: $0) }
    case .blob(let bytes): bytes.withUnsafeBytes { parameter.bind(blob: $0) }
    }
  }
}

extension RecordedValue {
  /// The value as an SQL expression that SQLite reads as the same value.
  package var sqlLiteral: String {
    guard case .text(let bytes) = self else { return databaseValue.sqlLiteral }
    return bytes.withUnsafeBufferPointer(SQLLiteral.text)
  }
}
