/// The components of a date text.
///
/// The text is `YYYY-MM-DD`, optionally followed by spaces or `T`s and a time, or a time alone. A
/// time is `HH:MM`, `HH:MM:SS` or `HH:MM:SS.SSS…`, and may end with `Z` or `±HH:MM`.
struct DateTextParts {
  /// The smallest unit of a time.
  enum Precision {
    case minute
    case second
    case fraction
  }

  private(set) var date: (year: Int, month: Int, day: Int)?
  private(set) var precision: Precision?
  private(set) var hour = 0
  private(set) var minute = 0
  private(set) var second = 0
  private(set) var fraction = 0.0
  /// The offset from UTC in minutes, positive to the east; `nil` when the text has no time zone.
  private(set) var zone: Int?

  /// The seconds since 1970. A time without a date is on 2000-01-01.
  var secondsSince1970: Double {
    let (year, month, day) = date ?? (2000, 1, 1)
    let minutes = hour * 60 + minute - (zone ?? 0)
    let days = DateText.daysFromCivil(year: year, month: month, day: day)
    return Double(days * 86_400 + minutes * 60 + second) + fraction
  }

  /// Parses a whole text, as SQLite does.
  ///
  /// - Returns: `nil` when the text has another form.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = Reader(bytes: bytes)
    if bytes.count >= 5, bytes[2] == UInt8(ascii: ":") {
      guard readTime(&reader) else { return nil }
    } else {
      guard readDate(&reader) else { return nil }
      reader.skipSeparators()
      guard reader.isAtEnd || readTime(&reader) else { return nil }
    }
    guard reader.isAtEnd else { return nil }
  }

  private mutating func readDate(_ reader: inout Reader) -> Bool {
    guard let year = reader.readNumber(digits: 4), reader.skip("-"),
      let month = reader.readNumber(digits: 2), (1...12).contains(month), reader.skip("-"),
      let day = reader.readNumber(digits: 2), (1...31).contains(day)
    else { return false }
    date = (year, month, day)
    return true
  }

  private mutating func readTime(_ reader: inout Reader) -> Bool {
    guard let hour = reader.readNumber(digits: 2), hour <= 24, reader.skip(":"),
      let minute = reader.readNumber(digits: 2), minute <= 59
    else { return false }
    self.hour = hour
    self.minute = minute
    precision = .minute
    if reader.skip(":") {
      guard let second = reader.readNumber(digits: 2), second <= 59 else { return false }
      self.second = second
      precision = .second
      if reader.skip(".") {
        guard let fraction = reader.readFraction() else { return false }
        self.fraction = fraction
        precision = .fraction
      }
    }
    return reader.isAtEnd || readZone(&reader)
  }

  private mutating func readZone(_ reader: inout Reader) -> Bool {
    reader.skipSpaces()
    if reader.skip("Z") || reader.skip("z") {
      zone = 0
    } else if !reader.isAtEnd {
      let isWest = reader.skip("-")
      guard isWest || reader.skip("+"),
        let hours = reader.readNumber(digits: 2), hours <= 14, reader.skip(":"),
        let minutes = reader.readNumber(digits: 2), minutes <= 59
      else { return false }
      zone = (isWest ? -1 : 1) * (hours * 60 + minutes)
    }
    reader.skipSpaces()
    return true
  }

  /// Reads a text from left to right.
  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    init(bytes: UnsafeRawBufferPointer) {
      self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    /// Skips the separators between a date and a time. As in SQLite, there may be none.
    mutating func skipSeparators() {
      while position < bytes.count,
        bytes[position].isSQLiteSpace || bytes[position] == UInt8(ascii: "T")
      {
        position += 1
      }
    }

    mutating func skipSpaces() {
      while position < bytes.count, bytes[position].isSQLiteSpace { position += 1 }
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    mutating func readNumber(digits: Int) -> Int? {
      guard position + digits <= bytes.count else { return nil }
      var number = 0
      for _ in 0..<digits {
        guard let digit = readDigit() else { return nil }
        number = number * 10 + digit
      }
      return number
    }

    mutating func readFraction() -> Double? {
      var digits = 0
      var scale = 1.0
      var fraction = 0.0
      while let digit = readDigit() {
        digits += 1
        // Digits beyond the 15th are lost in a Double.
        guard digits <= 15 else { continue }
        scale *= 10
        fraction = fraction * 10 + Double(digit)
      }
      return digits == 0 ? nil : fraction / scale
    }

    private mutating func readDigit() -> Int? {
      guard position < bytes.count else { return nil }
      let digit = Int(bytes[position]) - 48
      guard (0...9).contains(digit) else { return nil }
      position += 1
      return digit
    }
  }
}
