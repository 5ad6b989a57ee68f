internal import CWellspringSQLite
internal import FoundationEssentials
internal import Glibc

/// The context of a literal.
package enum SQLLiteralContext {
  /// In an expression of a statement that a connection compiles.
  case expression
  /// After `DEFAULT`, where SQLite wants a constant when it adds a column.
  case defaultValue
  /// In a file of statements. Programs that read one by lines, such as the `sqlite3` shell, lose a
  /// carriage return at the end of a line.
  case script
}

extension DatabaseValue {
  /// The value as an SQL expression that SQLite reads as the same value.
  package var sqlLiteral: String { sqlLiteral(in: .expression) }

  /// Returns the value as an SQL expression that every version of SQLite reads as the same value.
  package func sqlLiteral(in context: SQLLiteralContext) -> String {
    switch storage {
    case .double(let value): SQLLiteral.real(value)
    case .string(let text): SQLLiteral.text(text, in: context)
    case .null, .int64, .blob: description
    }
  }
}

extension ColumnValue {
  /// Returns the value as ``DatabaseValue/sqlLiteral(in:)`` does, also a TEXT that is not UTF-8.
  package func sqlLiteral(in context: SQLLiteralContext) -> String {
    if type == SQLITE_TEXT, string == nil { return SQLLiteral.text(data) }
    return databaseValue.sqlLiteral(in: context)
  }
}

package enum SQLLiteral {
  // MARK: - Numbers

  /// Returns a REAL.
  ///
  /// The shortest decimal of a number may lie almost in the middle between two numbers, and SQLite
  /// before 3.43 then reads the other one: it rounds twice. Such a number gets so many digits that
  /// its text lies close to it.
  static func real(_ value: Double) -> String {
    // SQLite has no literals for NaN and the infinities. It reads a number out of range as an
    // infinity.
    if value.isNaN { return "NULL" }
    guard value.isFinite else { return value < 0 ? "-9e999" : "9e999" }
    let shortest = String(value)
    if value == 0 || isReadExactly(shortest, as: value) { return shortest }
    // SQLite 3.43 to 3.46 read the largest number with 19 digits as an infinity.
    if value.magnitude == .greatestFiniteMagnitude { return shortest }
    // SQLite reads 18 or 19 digits. Below, it calculates with numbers that have fewer bits.
    guard value.magnitude >= 1e-270 else { return quotient(value) }
    let digits = digits(of: value)
    return digits.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") }
      ? digits : digits + ".0"
  }

  /// Returns 19 significant digits, with an exponent where that is shorter.
  private static func digits(of value: Double) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let count = withVaList([value]) { vsnprintf(buffer.baseAddress, buffer.count, "%.19g", $0) }
      let bytes = buffer[..<Int(count)].map(UInt8.init(bitPattern:))
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// The powers of ten that a number has exactly.
  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Returns whether a decimal, as Swift writes numbers, lies so close to a number that rounding
  /// twice gives the number.
  private static func isReadExactly(_ decimal: String, as value: Double) -> Bool {
    guard let (digits, exponent) = significand(of: decimal), digits < 1 << 53,
      abs(exponent) < powersOfTen.count
    else { return false }
    let significand = Double(digits)
    let magnitude = value.magnitude
    let power = powersOfTen[abs(exponent)]
    // The distance between the decimal and the number. A fused multiplication rounds it only once.
    let distance =
      exponent < 0
      ? significand.addingProduct(-magnitude, power).magnitude / power
      : (-magnitude).addingProduct(significand, power).magnitude
    return distance <= 0.49 * (magnitude - magnitude.nextDown)
  }

  /// Splits a decimal into an integer and the exponent of a power of ten, whose product it is.
  ///
  /// - Returns: Both; `nil` if the decimal has too many digits.
  private static func significand(of decimal: String) -> (digits: UInt64, exponent: Int)? {
    var (digits, exponent): (UInt64, Int) = (0, 0)
    var (fractionCount, isFraction, isExponent, isNegative) = (0, false, false, false)
    for byte in decimal.utf8 {
      switch byte {
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"): isExponent = true
      case UInt8(ascii: "-"): isNegative = isExponent
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let digit = byte - UInt8(ascii: "0")
        guard !isExponent else {
          exponent = 10 * exponent + Int(digit)
          continue
        }
        guard digits < 1 << 60 else { return nil }
        digits = 10 * digits + UInt64(digit)
        if isFraction { fractionCount += 1 }
      default: break
      }
    }
    return (digits, (isNegative ? -exponent : exponent) - fractionCount)
  }

  /// Returns the number as an integer that is divided by powers of two, which is exact.
  private static func quotient(_ value: Double) -> String {
    let isSubnormal = value.isSubnormal
    let significand = value.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
    var power = 52 - Int(isSubnormal ? -1022 : value.exponent)
    var text = "(\(value < 0 ? "-" : "")\(significand).0"
    while power > 0 {
      text += "/(1<<\(min(power, 62)))"
      power -= 62
    }
    return text + ")"
  }

  // MARK: - Texts

  /// Returns a TEXT.
  static func text(_ text: String, in context: SQLLiteralContext) -> String {
    let hasZero = text.hasByte(0)
    let hasReturn = context == .script && text.hasByte(13)
    guard hasZero || hasReturn else { return quoted(text) }
    if context == .defaultValue {
      return "(\(self.text(Data(text.utf8))))"
    }
    // A NUL would end the statement. The encoding of the database does not matter here, as it would
    // for the cast of a blob.
    var marked = text
    var marks: [(mark: Unicode.Scalar, code: UInt8)] = []
    for code: UInt8 in (hasZero ? [0] : []) + (hasReturn ? [13] : []) {
      let mark = unusedScalar(in: marked)
      marks.append((mark, code))
      marked = marked.replacingScalar(Unicode.Scalar(code), with: String(Character(mark)))
    }
    return marks.reduce(quoted(marked)) { "replace(\($0), '\($1.mark)', char(\($1.code)))" }
  }

  /// Returns a TEXT of bytes that may not be UTF-8.
  package static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    UTF8Text.string(bytes).map { text($0, in: .expression) } ?? text(Data(bytes))
  }

  /// Returns a TEXT of bytes that are not UTF-8. They occur in databases with this encoding only,
  /// where the cast keeps them.
  static func text(_ bytes: Data) -> String {
    "CAST(\(DatabaseValue(storage: .blob(bytes))) AS TEXT)"
  }

  /// Returns a text in quotes.
  static func quoted(_ text: String) -> String {
    guard text.hasByte(UInt8(ascii: "'")) else { return "'\(text)'" }
    return "'\(text.replacingScalar("'", with: "''"))'"
  }

  private static func unusedScalar(in text: String) -> Unicode.Scalar {
    let used = Set(text.unicodeScalars)
    let privateUse = (0xE000...0xF8FF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init)
    return "~^|#".unicodeScalars.first { !used.contains($0) }
      ?? privateUse.first { !used.contains($0) }
      // A text that has all of them has 6,400 different ones; the other planes have 131,068.
      ?? (0xF0000...0x10FFFD).lazy.compactMap(Unicode.Scalar.init).first { !used.contains($0) }!
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns whether there is such a byte. `contains` took nearly half of the time of a dump.
  package func hasByte(_ byte: UInt8) -> Bool {
    baseAddress.map { memchr($0, Int32(byte), count) != nil } ?? false
  }
}

extension String {
  /// Returns whether the UTF-8 of the string has a byte.
  fileprivate func hasByte(_ byte: UInt8) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.hasByte(byte) } ?? utf8.contains(byte)
  }

  /// Returns the string with each occurrence of a scalar replaced.
  ///
  /// `replacing(_:with:)` compares characters. It does not find a quote that a combining mark
  /// follows, or a carriage return before a line feed.
  package func replacingScalar(_ scalar: Unicode.Scalar, with replacement: String) -> String {
    if scalar.isASCII { return replacingByte(UInt8(scalar.value), with: replacement.utf8) }
    var result = String.UnicodeScalarView()
    for other in unicodeScalars {
      if other == scalar {
        result.append(contentsOf: replacement.unicodeScalars)
      } else {
        result.append(other)
      }
    }
    return String(result)
  }

  private func replacingByte(_ byte: UInt8, with replacement: String.UTF8View) -> String {
    guard hasByte(byte) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count + utf8.count / 8)
    for other in utf8 {
      if other == byte { bytes += replacement } else { bytes.append(other) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  /// The string as the name of a function, a collation or a module, in quotes where SQLite needs
  /// them.
  var sqlWord: String {
    let isKeyword = sqlite3_keyword_check(self, Int32(clamping: utf8.count)) != 0
    return isPlainIdentifier && !isKeyword ? self : quotedDatabaseIdentifier
  }

  /// Whether the string consists of ASCII letters, digits and underscores, and does not begin with
  /// a digit.
  private var isPlainIdentifier: Bool {
    guard let first = utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return false
    }
    return utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
