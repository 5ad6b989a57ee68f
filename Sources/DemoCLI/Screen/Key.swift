/// A key of the keyboard.
enum Key: Equatable, Sendable {
  case up, down, left, right
  case pageUp, pageDown, home, end
  case tab, backTab, enter, escape, backspace
  case character(Character)

  /// Returns the keys whose codes a terminal has sent.
  static func keys(of bytes: some Collection<UInt8>) -> [Key] {
    var rest = Substring(String(decoding: bytes, as: UTF8.self)).unicodeScalars
    var keys: [Key] = []
    while let scalar = rest.popFirst() {
      switch scalar.value {
      case 0x1B: if let key = afterEscape(&rest) { keys.append(key) }
      case 0x09: keys.append(.tab)
      case 0x0A, 0x0D: keys.append(.enter)
      case 0x08, 0x7F: keys.append(.backspace)
      case 0..<0x20: break
      default: keys.append(.character(Character(scalar)))
      }
    }
    return keys
  }

  /// Reads the rest of an escape sequence, such as `[A` or `[5~`.
  ///
  /// - Returns: The key; `nil` for a sequence that is not a known key.
  private static func afterEscape(_ rest: inout Substring.UnicodeScalarView) -> Key? {
    guard let introducer = rest.first, introducer == "[" || introducer == "O" else {
      return .escape
    }
    rest.removeFirst()
    var parameters = ""
    while let scalar = rest.popFirst() {
      guard (0x40...0x7E).contains(scalar.value) else {
        parameters.unicodeScalars.append(scalar)
        continue
      }
      return key(final: scalar, parameters: parameters)
    }
    return nil
  }

  private static func key(final: Unicode.Scalar, parameters: String) -> Key? {
    switch (final, parameters.prefix { $0 != ";" }) {
    case ("A", _): .up
    case ("B", _): .down
    case ("C", _): .right
    case ("D", _): .left
    case ("H", _), ("~", "1"), ("~", "7"): .home
    case ("F", _), ("~", "4"), ("~", "8"): .end
    case ("Z", _): .backTab
    case ("~", "5"): .pageUp
    case ("~", "6"): .pageDown
    default: nil
    }
  }
}
