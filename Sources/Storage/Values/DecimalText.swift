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
