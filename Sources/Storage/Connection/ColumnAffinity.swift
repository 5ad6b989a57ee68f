internal import WellspringSystem

/// The types that a column prefers: https://www.sqlite.org/datatype3.html#type_affinity
package enum ColumnAffinity: Hashable, Sendable {
  case text
  /// INTEGER or NUMERIC.
  case numeric
  case real
  /// BLOB, which converts nothing.
  case blob

  /// The affinity of a column by its declared type.
  ///
  /// In a `STRICT` table, a column of the type `ANY` converts nothing. It counts as numeric, which
  /// converts more.
  init(type: String) {
    let type = type.asciiLowercased
    if type.contains("int") {
      self = .numeric
    } else if ["char", "clob", "text"].contains(where: type.contains) {
      self = .text
    } else if type.isEmpty || type.contains("blob") {
      self = .blob
    } else if ["real", "floa", "doub"].contains(where: type.contains) {
      self = .real
    } else {
      self = .numeric
    }
  }

  /// Makes the affinity that SQLite's programs write as a letter; `nil` for any other letter.
  init?(letter: Character) {
    switch letter {
    case "A": self = .blob
    case "B": self = .text
    case "C", "D": self = .numeric
    case "E": self = .real
    default: return nil
    }
  }

  /// Whether a value that another affinity has converted becomes the same as without it.
  func absorbs(_ other: ColumnAffinity) -> Bool {
    switch other {
    case .blob: true
    case .numeric: self == .numeric || self == .real
    case .text, .real: self == other
    }
  }

  /// Whether it is sure that the affinity keeps a text, and makes no number of it.
  func keepsText(_ text: String) -> Bool {
    switch self {
    case .text, .blob: true
    case .numeric where Fault.isOn(.valueAffinity): true
    // A number begins with spaces, a sign, a point or a digit.
    case .numeric, .real:
      text.utf8.first.map {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
      } ?? true
    }
  }
}
