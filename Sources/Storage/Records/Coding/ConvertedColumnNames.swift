internal import WellspringSystem

/// The column names of a record type whose coding keys are converted.
///
/// Records of one type encode the same keys in the same order. So the names of earlier records are
/// reused: they need no conversion, and are identical strings each time.
struct ConvertedColumnNames {
  private struct Name {
    let key: String
    let column: String
  }

  // Guards the names of all types that were encoded.
  private static let known = Lock<[ObjectIdentifier: [Name]]>([:])

  private let type: ObjectIdentifier
  private let strategy: DatabaseColumnEncodingStrategy
  private var names: [Name]
  private var ordinal = 0
  private var hasGrown = false

  /// - Returns: `nil` for a type whose columns have the same names as its keys.
  init?(_ recordType: any EncodableRecord.Type) {
    strategy = recordType.databaseColumnEncodingStrategy
    if case .useDefaultKeys = strategy { return nil }
    let type = ObjectIdentifier(recordType)
    self.type = type
    names = Self.known.withLock { $0[type] ?? [] }
  }

  /// Returns the column of a key.
  mutating func column(of key: some CodingKey) -> String {
    let name = key.stringValue
    defer { ordinal += 1 }
    if ordinal < names.count, names[ordinal].key == name { return names[ordinal].column }
    if let index = names.firstIndex(where: { $0.key == name }) {
      ordinal = index
      return names[index].column
    }
    let column = strategy.columnName(of: key)
    names.append(Name(key: name, column: column))
    hasGrown = true
    return column
  }

  /// Stores new names, and begins the next record.
  mutating func save() {
    ordinal = 0
    guard hasGrown else { return }
    hasGrown = false
    Self.known.withLock { $0[type] = names }
  }
}

/// Converts between `snake_case` and `camelCase` with the rules of `JSONDecoder` and `JSONEncoder`.
enum SnakeCase {
  /// Converts `first_name` to `firstName`. Underscores at either end are kept.
  static func camelCased(_ name: String) -> String {
    guard name.contains(where: { $0 != "_" }) else { return name }
    let start = name.prefix { $0 == "_" }
    let end = name.reversed().prefix { $0 == "_" }
    let words = name.dropFirst(start.count).dropLast(end.count).split(separator: "_")
    guard words.count > 1 else { return name }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
    return start + words[0].lowercased() + rest.joined() + end
  }

  /// Converts `firstName` to `first_name`, and `myURLProperty` to `my_url_property`.
  ///
  /// Capitals at the start are split, as in `JSONEncoder` and existing databases: `URL` becomes
  /// `u_rl`.
  static func snakeCased(_ name: String) -> String {
    let characters = Array(name)
    guard !characters.isEmpty else { return name }
    var words: [ArraySlice<Character>] = []
    var wordStart = 0
    var position = 1
    while let capital = characters[position...].firstIndex(where: \.isUppercase) {
      words.append(characters[wordStart..<capital])
      wordStart = capital
      guard let small = characters[capital...].firstIndex(where: \.isLowercase) else { break }
      if small > capital + 1 {
        // The last of several capitals begins the next word.
        words.append(characters[capital..<small - 1])
        wordStart = small - 1
      }
      position = small + 1
    }
    words.append(characters[wordStart...])
    return words.map { String($0).lowercased() }.joined(separator: "_")
  }
}
