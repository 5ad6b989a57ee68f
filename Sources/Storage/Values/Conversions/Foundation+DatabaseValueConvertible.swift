internal import CWellspringSQLite
public import FoundationEssentials

#if !WELLSPRING_WITHOUT_ICU
  public import Foundation

  extension CGFloat: DatabaseValueConvertible {
    /// The value as a REAL.
    public var databaseValue: DatabaseValue { Double(self).databaseValue }

    /// Reads a REAL or an INTEGER.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> CGFloat? {
      Double.fromDatabaseValue(value).map { CGFloat($0) }
    }

    /// Reads a REAL or an INTEGER.
    public static func fromColumnValue(_ column: ColumnValue) -> CGFloat? {
      Double.fromColumnValue(column).map { CGFloat($0) }
    }
  }
#endif

extension Data: DatabaseValueConvertible {
  /// The data as a BLOB.
  public var databaseValue: DatabaseValue { DatabaseValue(storage: .blob(self)) }

  /// Reads a BLOB, or the UTF-8 bytes of a TEXT.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Data? {
    switch value.storage {
    case .blob(let data): data
    case .string(let value): Data(value.utf8)
    default: nil
    }
  }

  /// Reads a BLOB, or the UTF-8 bytes of a TEXT.
  public static func fromColumnValue(_ column: ColumnValue) -> Data? {
    switch column.type {
    case SQLITE_BLOB, SQLITE_TEXT: column.data
    default: nil
    }
  }

  /// Binds a BLOB.
  public func bind(to parameter: StatementParameter) -> Int32 { parameter.bind(self) }
}

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
  /// A date outside of the years 0 to 9999, or a date that is not finite, has no such text. Its
  /// value is a NaN that no statement accepts: binding it, or inserting a record with it, throws
  /// ``DatabaseError`` with `SQLITE_MISMATCH`, whose message names the column. Such dates can be
  /// stored as numbers: see ``DatabaseDateEncodingStrategy/timeIntervalSince1970``.
  public var databaseValue: DatabaseValue {
    if let text = DateText.format(self) { return DatabaseValue(storage: .string(text)) }
    return UnstorableValue.date(Float(timeIntervalSince1970)).databaseValue
  }

  /// Reads a TEXT in one of SQLite's date formats, and an INTEGER or a REAL as seconds since 1970.
  ///
  /// The formats are the same as in SQLite's date functions: `YYYY-MM-DD`, with or without a time
  /// after a space or `T`; a time alone, which is on 2000-01-01; and Julian days, such as
  /// `2459000.5`. A time may end with a time zone (`Z`, `±HH:MM`); without one it is UTC. `now` is
  /// refused, because each reading would give a different date, and so are dates before the year 0
  /// or after 9999.
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

/// Recognises decimal numbers in text.
enum DecimalText {
  /// Returns whether the whole text is a decimal number: `-12`, `.5`, `1.5e-3`.
  static func isNumber(_ text: some Collection<UInt8>) -> Bool {
    var rest = text[...]
    skipSign(&rest)
    let integerDigits = skipDigits(&rest)
    var fractionDigits = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fractionDigits = skipDigits(&rest)
    }
    guard integerDigits + fractionDigits > 0 else { return false }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      skipSign(&rest)
      guard skipDigits(&rest) > 0 else { return false }
    }
    return rest.isEmpty
  }

  private static func skipSign<Bytes: Collection<UInt8>>(_ bytes: inout Bytes)
  where Bytes == Bytes.SubSequence {
    if bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
  }

  private static func skipDigits<Bytes: Collection<UInt8>>(_ bytes: inout Bytes) -> Int
  where Bytes == Bytes.SubSequence {
    let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    bytes.removeFirst(digits)
    return digits
  }
}

extension URL: DatabaseValueConvertible {
  /// The absolute string as a TEXT.
  public var databaseValue: DatabaseValue { absoluteString.databaseValue }

  /// Reads a TEXT.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> URL? {
    guard case .string(let text) = value.storage else { return nil }
    return URL(string: text)
  }
}

extension UUID: DatabaseValueConvertible {
  /// The UUID as a BLOB of sixteen bytes.
  public var databaseValue: DatabaseValue {
    withUnsafeBytes(of: uuid) { DatabaseValue(storage: .blob(Data($0))) }
  }

  /// Reads a BLOB of sixteen bytes, or a TEXT such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> UUID? {
    switch value.storage {
    case .blob(let data): data.withUnsafeBytes(UUID.init(bytes:))
    case .string(let text): UUID(uuidString: text)
    default: nil
    }
  }

  /// Reads the same values as ``fromDatabaseValue(_:)``.
  public static func fromColumnValue(_ column: ColumnValue) -> UUID? {
    switch column.type {
    case SQLITE_BLOB: column.withUnsafeBytes(UUID.init(bytes:))
    case SQLITE_TEXT: column.string.flatMap(UUID.init(uuidString:))
    default: nil
    }
  }

  /// Binds a BLOB of sixteen bytes.
  public func bind(to parameter: StatementParameter) -> Int32 {
    withUnsafeBytes(of: uuid) { parameter.bind(blob: $0) }
  }

  private init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
}
