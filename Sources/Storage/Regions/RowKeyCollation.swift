internal import WellspringPlatform

/// How the texts of a key column are compared, where two equal texts can be told from their bytes.
enum RowKeyCollation: Hashable, Sendable {
  case binary
  case noCase
  case rightTrim

  /// - Parameter name: The name of the collation; `nil` results for one made in Swift.
  init?(_ name: String) {
    switch name.asciiLowercased {
    case "binary": self = .binary
    case "nocase": self = Fault.isOn(.patchKeyCollation) ? .binary : .noCase
    case "rtrim": self = .rightTrim
    default: return nil
    }
  }

  /// Returns how many bytes of a text are compared.
  func length(of text: UnsafeRawBufferPointer) -> Int {
    guard self == .rightTrim else { return text.count }
    return (text.lastIndex { $0 != UInt8(ascii: " ") } ?? -1) + 1
  }

  /// Gives all texts that are equal under the collation the same bytes.
  func fold(_ text: inout ArraySlice<UInt8>) {
    guard self == .noCase else { return }
    // NOCASE compares what comes before the first zero byte, and the lengths.
    var isCompared = true
    for index in text.indices {
      if text[index] == 0 { isCompared = false }
      if !isCompared {
        text[index] = 0
      } else if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(text[index]) {
        text[index] |= 0x20
      }
    }
  }
}
