internal import FoundationEssentials

extension DateText {
  /// Parses `YYYY-MM-DD HH:MM:SS.SSS`, the format that this library writes, eight characters at a
  /// time.
  ///
  /// - Returns: `nil` for all other text.
  static func parseCanonical(_ bytes: UnsafeRawBufferPointer) -> Date? {
    guard bytes.count == length, let text = bytes.baseAddress else { return nil }
    // The difference from "0000-00-", "00 00:00" and "0:00.000": the value of each digit, and zero
    // for each separator.
    let first = characters(text) ^ 0x2D30_302D_3030_3030
    let second = characters(text + 8) ^ 0x3030_3A30_3020_3030
    let third = characters(text + 15) ^ 0x3030_302E_3030_3A30
    // Above nine, the sum with six has a bit in the upper half of its byte.
    let six: UInt64 = 0x0606_0606_0606_0606
    let all = first | second | third
    let sums = (first &+ six) | (second &+ six) | (third &+ six)
    guard (all | sums) & 0xF0F0_F0F0_F0F0_F0F0 == 0, first & 0xFF00_00FF_0000_0000 == 0,
      second & 0x0000_FF00_00FF_0000 == 0, third & 0x0000_00FF_0000_FF00 == 0
    else { return nil }
    // Each byte becomes the number of two digits that begins there.
    let date = first &* 10 &+ first >> 8
    let time = second &* 10 &+ second >> 8
    let rest = third &* 10 &+ third >> 8
    let (month, day) = (number(date, at: 5), number(time, at: 0))
    let (hour, minute, secondOfMinute) = (
      number(time, at: 3), number(time, at: 6), number(rest, at: 2)
    )
    guard month >= 1, month <= 12, day >= 1, day <= 31, hour <= 23, minute <= 59,
      secondOfMinute <= 59
    else { return nil }
    let days = days(year: number(date, at: 0) &* 100 &+ number(date, at: 2), month, day)
    let millisecond = number(rest, at: 5) &* 10 &+ number(third, at: 7)
    let seconds =
      Double(hour &* 3600 &+ minute &* 60 &+ secondOfMinute) + Double(millisecond) / 1000
    return Date(timeIntervalSince1970: Double(days) * 86_400 + seconds)
  }

  /// Returns eight characters, the first one in the lowest byte.
  @inline(__always)
  private static func characters(_ text: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: text.loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  private static func number(_ numbers: UInt64, at byte: UInt64) -> Int {
    Int(truncatingIfNeeded: (numbers >> (8 &* byte)) & 0xFF)
  }

  /// Returns the days from 1970-01-01 to a date of the years 0 to 9999.
  ///
  /// Years begin in March here, so that the leap day is the last day, and are counted from 400
  /// years before the year 0, so that their number is not negative.
  @inline(__always)
  private static func days(year: Int, _ month: Int, _ day: Int) -> Int {
    let isBeforeMarch = month <= 2
    let year = UInt32(truncatingIfNeeded: isBeforeMarch ? year &+ 399 : year &+ 400)
    let month = UInt32(truncatingIfNeeded: isBeforeMarch ? month &+ 9 : month &- 3)
    let days = year &* 365 &+ year / 4 &- year / 100 &+ year / 400 &+ (month &* 153 &+ 2) / 5
    return Int(days) &+ day &- 865_566
  }
}
