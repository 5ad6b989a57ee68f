internal import FoundationEssentials

/// Reads and writes dates in SQLite's text formats.
///
/// It does not use Foundation's formatters, which take 46 µs per date; this takes tens of
/// nanoseconds. The calendar is the proleptic Gregorian one, as in SQLite.
/// https://www.sqlite.org/lang_datefunc.html
enum DateText {
  /// The length of a written date in bytes.
  static let length = 23

  /// Parses a date in the formats of ``DateTextParts``, or a Julian day such as `2459000.5`.
  ///
  /// - Returns: `nil` for all other text. Dates outside the years 0 to 9999 are refused because
  /// SQLite guarantees nothing for them, and `now` because each reading would give a different
  /// date.
  static func parse(_ bytes: UnsafeRawBufferPointer) -> Date? {
    if let date = parseCanonical(bytes) { return date }
    guard let seconds = DateTextParts(bytes)?.secondsSince1970 ?? julianDay(bytes),
      seconds >= -62_167_219_200, seconds < 253_402_300_799.9995
    else { return nil }
    return Date(timeIntervalSince1970: seconds)
  }

  /// Formats a date as `YYYY-MM-DD HH:MM:SS.SSS` in UTC, rounded to the nearest millisecond.
  ///
  /// - Returns: `nil` for dates outside the years 0 to 9999, which SQLite cannot read.
  static func format(_ date: Date) -> String? {
    guard let milliseconds = milliseconds(of: date) else { return nil }
    return String(unsafeUninitializedCapacity: length) { buffer in
      write(milliseconds, to: buffer)
      return length
    }
  }

  /// Calls `body` with the bytes of ``format(_:)`` without creating a string, or with `nil` for
  /// dates that have no text.
  static func withBytes<Result>(
    of date: Date,
    _ body: (UnsafeBufferPointer<UInt8>?) -> Result
  ) -> Result {
    guard let milliseconds = milliseconds(of: date) else { return body(nil) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { buffer in
      write(milliseconds, to: buffer)
      return body(UnsafeBufferPointer(rebasing: buffer[..<length]))
    }
  }

  /// Returns the milliseconds since 1970, or `nil` outside the years 0 to 9999.
  private static func milliseconds(of date: Date) -> Int64? {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    // 0000-01-01 and 9999-12-31 23:59:59.999.
    guard milliseconds >= -62_167_219_200_000, milliseconds <= 253_402_300_799_999 else {
      return nil
    }
    return Int64(milliseconds)
  }

  private static func write(_ total: Int64, to buffer: UnsafeMutableBufferPointer<UInt8>) {
    let days = (total >= 0 ? total : total - 86_399_999) / 86_400_000
    let ofDay = Int(total - days * 86_400_000)
    let civil = civilFromDays(Int(days))
    var position = 0
    func write(_ value: Int, digits: Int) {
      var value = value
      for index in stride(from: position + digits - 1, through: position, by: -1) {
        buffer[index] = UInt8(ascii: "0") + UInt8(value % 10)
        value /= 10
      }
      position += digits
    }
    func write(_ separator: Unicode.Scalar) {
      buffer[position] = UInt8(ascii: separator)
      position += 1
    }
    write(civil.year, digits: 4)
    write("-")
    write(civil.month, digits: 2)
    write("-")
    write(civil.day, digits: 2)
    write(" ")
    write(ofDay / 3_600_000, digits: 2)
    write(":")
    write(ofDay / 60_000 % 60, digits: 2)
    write(":")
    write(ofDay / 1000 % 60, digits: 2)
    write(".")
    write(ofDay % 1000, digits: 3)
  }

  /// Parses a Julian day, the days since noon in Greenwich on November 24, 4714 B.C., and returns
  /// it in seconds since 1970.
  private static func julianDay(_ bytes: UnsafeRawBufferPointer) -> Double? {
    let text = bytes.drop(while: \.isSQLiteSpace)
    guard let end = text.lastIndex(where: { !$0.isSQLiteSpace }) else { return nil }
    let number = text[...end]
    guard DecimalText.isNumber(number), let day = Double(String(decoding: number, as: UTF8.self))
    else { return nil }
    return (day - 2_440_587.5) * 86_400
  }

  /// Returns the days from 1970-01-01 to a date, counted in eras of 400 years that begin in March.
  static func daysFromCivil(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func civilFromDays(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension UInt8 {
  /// Whether SQLite treats the character as a space.
  var isSQLiteSpace: Bool { self == 32 || (9...13).contains(self) }
}
