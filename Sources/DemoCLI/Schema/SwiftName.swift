/// Names of Swift for names of SQL, which may be any text.
enum SwiftName {
  /// Returns a name for a property: `unit_price` becomes `unitPrice`.
  static func camelCase(_ name: String) -> String {
    let name = joinedWords(name)
    // Swift gives these names a meaning of their own, also in backticks.
    return ["self", "Self", "init", "Type", "Protocol"].contains(name) ? name + "_" : name
  }

  private static func joinedWords(_ name: String) -> String {
    let words = name.split { !$0.isLetter && !$0.isNumber }
      .map { String(String.UnicodeScalarView($0.unicodeScalars.filter(isPart))) }
      .filter { !$0.isEmpty }
    guard let first = words.first else { return "unnamed" }
    let isUpper = first.allSatisfy { $0.isUppercase || $0.isNumber }
    let start = isUpper ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return identifier(([start] + rest).joined())
  }

  /// Returns a name for a type: `order_item` becomes `OrderItem`.
  static func typeName(_ table: String) -> String {
    let name = joinedWords(table)
    let type = identifier(name.prefix(1).uppercased() + name.dropFirst())
    return takenTypes.contains(type) ? type + "Record" : type
  }

  /// Returns a name for each wanted name, all of them different.
  ///
  /// A name of SQL that is a name of Swift already keeps it. A number distinguishes the other
  /// names.
  static func unique(_ names: [(sql: String, swift: String)]) -> [String] {
    var taken = Set(names.filter { $0.sql == $0.swift }.map(\.swift))
    return names.map { sql, swift in
      if sql == swift { return swift }
      var name = swift
      var number = 2
      while !taken.insert(name).inserted {
        name = "\(swift)\(number)"
        number += 1
      }
      return name
    }
  }

  /// Returns the name as it is written in code.
  static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// Returns a text as a literal of one line, without invisible characters.
  static func literal(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\n": return "\\n"
      case "\r": return "\\r"
      case "\t": return "\\t"
      case "\\": return "\\\\"
      case "\"": return "\\\""
      default:
        switch scalar.properties.generalCategory {
        // Some of these end a line for a compiler or an editor, or change the direction of text.
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
          return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default: return String(scalar)
        }
      }
    }
    return "\"\(scalars.joined())\""
  }

  // MARK: - Identifiers

  /// Returns a text without the characters that a name of Swift cannot have.
  private static func identifier(_ text: String) -> String {
    var name = String(String.UnicodeScalarView(text.unicodeScalars.filter(isPart)))
    guard let first = name.unicodeScalars.first else { return "unnamed" }
    if !isHead(first) { name = "_" + name }
    return name
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar == "_" || scalar.properties.isAlphabetic || isDigit(scalar) }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber: return headRanges.contains(scalar)
    default: return scalar.properties.isAlphabetic && headRanges.contains(scalar)
    }
  }

  private static func isHead(_ scalar: Unicode.Scalar) -> Bool {
    !isDigit(scalar) && !isMark(scalar)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Whether Swift takes the scalar inside of a name only.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300...0x36F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }

  /// The scalars outside of ASCII that a name can have.
  /// See "Lexical Structure" of The Swift Programming Language.
  private static let headRanges = ScalarRanges([
    0xA8...0xA8, 0xAA...0xAA, 0xAD...0xAD, 0xAF...0xAF, 0xB2...0xB5, 0xB7...0xBA, 0xBC...0xBE,
    0xC0...0xD6, 0xD8...0xF6, 0xF8...0x167F, 0x1681...0x180D, 0x180F...0x1FFF, 0x200B...0x200D,
    0x203F...0x2040, 0x2054...0x2054, 0x2060...0x20FF, 0x2100...0x218F, 0x2460...0x24FF,
    0x2776...0x2793, 0x2C00...0x2DFF, 0x2E80...0x2FFF, 0x3004...0x3007, 0x3021...0x302F,
    0x3031...0xD7FF, 0xF900...0xFD3D, 0xFD40...0xFDCF, 0xFDF0...0xFE44, 0xFE47...0xFFFD,
    0x10000...0x1FFFD, 0x20000...0x2FFFD, 0x30000...0x3FFFD, 0x40000...0x4FFFD,
    0x50000...0x5FFFD, 0x60000...0x6FFFD, 0x70000...0x7FFFD, 0x80000...0x8FFFD,
    0x90000...0x9FFFD, 0xA0000...0xAFFFD, 0xB0000...0xBFFFD, 0xC0000...0xCFFFD,
    0xD0000...0xDFFFD, 0xE0000...0xEFFFD,
  ])

  private struct ScalarRanges {
    let ranges: [ClosedRange<UInt32>]

    init(_ ranges: [ClosedRange<UInt32>]) { self.ranges = ranges }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      ranges.contains { $0.contains(scalar.value) }
    }
  }

  // MARK: - Reserved names

  /// Names of types that a record type would hide: names that the code of the records uses, and
  /// names that a program with records often uses.
  private static let takenTypes: Set<String> = [
    "Any", "AnyObject", "Array", "Association", "Bool", "Character", "Codable", "CodingKey",
    "CodingKeys", "Column", "Columns", "Configuration", "Data", "Database", "DatabasePool",
    "DatabaseQueue", "DatabaseReader", "DatabaseValue", "DatabaseWriter", "Date", "Decimal",
    "Decodable", "Decoder", "Dictionary", "Double", "Encodable", "Encoder", "Equatable", "Error",
    "FetchRequest", "FetchableRecord", "Float", "Foundation", "Hashable", "Identifiable", "Index",
    "InsertionSuccess", "Int", "Int8", "Int16", "Int32", "Int64", "MutablePersistableRecord",
    "Never", "Optional", "PersistableRecord", "PersistenceContainer", "Protocol", "Range",
    "Request", "Result", "Row", "SQL", "Self", "Sendable", "Sequence", "Set", "Statement",
    "Storage", "String", "Swift", "Table", "TableRecord", "Task", "Type", "UInt", "URL", "UUID",
    "View", "Void",
  ]

  private static let keywords: Set<String> = [
    "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]
}
