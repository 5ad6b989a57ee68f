internal import CWellspringSQLite
public import FoundationEssentials

extension Date {
  /// Creates a date from a Julian day: the days since noon UTC on November 24, 4714 BC.
  ///
  ///     let date = Date(julianDay: 2440587.5)  // 1970-01-01 00:00 UTC
  ///
  /// The date is rounded to the millisecond, like SQLite's own dates.
  ///
  /// - Returns: `nil` for a day before the first, after the year 9999, or that is not a number.
  public init?(julianDay: Double) {
    guard (0..<5_373_484.5).contains(julianDay) else { return nil }
    let milliseconds = ((julianDay - 2_440_587.5) * 86_400_000).rounded()
    self.init(timeIntervalSince1970: milliseconds / 1000)
  }
}

extension Date: DatabaseValueConvertible {
  /// A TEXT `YYYY-MM-DD HH:MM:SS.SSS` in UTC, rounded to the millisecond.
  ///
  /// A date outside of the years 0 to 9999, or one that is not finite, has no such text. Its value
  /// is a NaN that no statement accepts: binding it, or inserting a record with it, throws
  /// ``DatabaseError`` with `SQLITE_MISMATCH`, whose message names the column. Such dates can be
  /// stored as numbers: see ``DatabaseDateEncodingStrategy/timeIntervalSince1970``.
  public var databaseValue: DatabaseValue {
    if let text = DateText.format(self) { return DatabaseValue(storage: .string(text)) }
    return UnstorableValue.date(Float(timeIntervalSince1970)).databaseValue
  }

  /// Reads a TEXT in one of SQLite's date formats, and an INTEGER or a REAL as seconds since 1970.
  ///
  /// The formats are those of SQLite's date functions: `YYYY-MM-DD`, with or without a time after a
  /// space or `T`; a time alone, which is on 2000-01-01; and Julian days, such as `2459000.5`. A
  /// time may end with a time zone (`Z`, `±HH:MM`); without one it is UTC. `now` is refused,
  /// because each reading would give a different date, and so are dates before the year 0 or after
  /// 9999.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Date? {
    switch value.storage {
    case .string(var text): text.withUTF8 { DateText.parse(UnsafeRawBufferPointer($0)) }
    case .int64(let value): Date(timeIntervalSince1970: Double(value))
    case .double(let value): Date(timeIntervalSince1970: value)
    default: nil
    }
  }

  /// Reads the same values as ``fromDatabaseValue(_:)``.
  public static func fromColumnValue(_ column: ColumnValue) -> Date? {
    switch column.type {
    case SQLITE_TEXT: column.withUnsafeBytes { DateText.parse($0) }
    case SQLITE_INTEGER: Date(timeIntervalSince1970: Double(column.int64))
    case SQLITE_FLOAT: Date(timeIntervalSince1970: column.double)
    default: nil
    }
  }

  /// Binds the TEXT of ``databaseValue``.
  ///
  /// - Returns: SQLite's result code: 0 on success, `SQLITE_MISMATCH` for a date without a text.
  public func bind(to parameter: StatementParameter) -> Int32 {
    DateText.withBytes(of: self) { bytes in
      bytes.map { parameter.bind(utf8: $0) } ?? UnstorableValue.bindingResult
    }
  }
}
