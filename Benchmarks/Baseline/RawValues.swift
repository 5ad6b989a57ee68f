internal import CWellspringSQLite
internal import Foundation

// How the baseline reads and binds values of Swift types. It checks no storage classes.

/// Returns the text of a column that is never NULL.
@inline(__always)
func rawText(_ statement: OpaquePointer, _ index: Int32) -> String {
  rawOptionalText(statement, index) ?? ""
}

/// Returns the text of a column, or `nil` for NULL.
@inline(__always)
func rawOptionalText(_ statement: OpaquePointer, _ index: Int32) -> String? {
  guard let bytes = sqlite3_column_text(statement, index) else { return nil }
  let count = Int(sqlite3_column_bytes(statement, index))
  return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
}

/// Returns the date of a column that holds exactly `YYYY-MM-DD HH:MM:SS.SSS` in UTC.
@inline(__always)
func rawDate(_ statement: OpaquePointer, _ index: Int32) -> Date? {
  guard let text = sqlite3_column_text(statement, index),
    sqlite3_column_bytes(statement, index) == 23
  else { return nil }
  let days = rawDays(year: digits(text, 0, 4), month: digits(text, 5, 2), day: digits(text, 8, 2))
  let minutes = (days &* 24 &+ digits(text, 11, 2)) &* 60 &+ digits(text, 14, 2)
  let milliseconds = (minutes &* 60 &+ digits(text, 17, 2)) &* 1000 &+ digits(text, 20, 3)
  return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
}

/// Binds a text, which SQLite copies.
@inline(__always)
func rawBind(_ text: String, _ statement: OpaquePointer, _ index: Int32) {
  var text = text
  text.withUTF8 { utf8 in
    utf8.withMemoryRebound(to: CChar.self) { bytes in
      _ = sqlite3_bind_text(
        statement,
        index,
        bytes.baseAddress,
        Int32(truncatingIfNeeded: bytes.count),
        wellspring_transient()
      )
    }
  }
}

/// Returns the number that `count` digits represent.
@inline(__always)
private func digits(_ text: UnsafePointer<UInt8>, _ position: Int, _ count: Int) -> Int {
  var number = 0
  for index in position..<position &+ count { number = number &* 10 &+ Int(text[index]) &- 48 }
  return number
}

/// Returns the days from 1970-01-01 to a date of the common era. The year begins in March here, so
/// the leap day is its last day.
@inline(__always)
private func rawDays(year: Int, month: Int, day: Int) -> Int {
  let year = month <= 2 ? year &- 1 : year
  let month = month <= 2 ? month &+ 9 : month &- 3
  let leapDays = year / 4 &- year / 100 &+ year / 400
  return year &* 365 &+ leapDays &+ (153 &* month &+ 2) / 5 &+ day &- 1 &- 719_468
}
