/// A tokenizer for tables of ``FTS3`` or ``FTS4``, with its arguments.
/// https://www.sqlite.org/fts3.html#tokenizer
public struct FTS3TokenizerDescriptor: Hashable, Sendable {
  /// The treatment of diacritics.
  public enum Diacritics: Hashable, Sendable {
    /// Diacritics are significant: "é" is not "e".
    case keep
    /// Diacritics are removed from most characters.
    case removeLegacy
    /// Diacritics are removed from all characters.
    case remove

    /// SQLite's number for the treatment.
    var number: Int {
      switch self {
      case .keep: 0
      case .removeLegacy: 1
      case .remove: 2
      }
    }
  }

  /// The name of the tokenizer.
  public let name: String
  /// The arguments of the tokenizer.
  public let arguments: [String]

  /// Creates the descriptor of a tokenizer.
  public init(_ name: String, arguments: [String] = []) {
    self.name = name
    self.arguments = arguments
  }

  /// The module argument that selects the tokenizer.
  var moduleArgument: String {
    let words = [name.sqlWord] + arguments.map(\.quotedDatabaseIdentifier)
    return "tokenize=\(words.joined(separator: " "))"
  }

  /// Finds words of ASCII letters, ASCII digits and characters outside ASCII, ignoring the case of
  /// ASCII letters.
  ///
  ///     t.tokenizer = .simple
  ///     // tokenize=simple
  public static let simple = FTS3TokenizerDescriptor("simple")

  /// Finds the words of ``simple``, and removes English suffixes from them.
  ///
  ///     t.tokenizer = .porter
  ///     // tokenize=porter
  public static let porter = FTS3TokenizerDescriptor("porter")

  /// Finds words of Unicode letters and digits, ignoring case.
  ///
  ///     t.tokenizer = .unicode61(tokenCharacters: ["-"])
  ///     // tokenize=unicode61 "tokenchars=-"
  ///
  /// - Parameters:
  ///   - diacritics: The treatment of diacritics.
  ///   - separators: Additional characters that separate words.
  ///   - tokenCharacters: Additional characters that belong to words.
  /// - Returns: The tokenizer.
  public static func unicode61(
    diacritics: Diacritics = .removeLegacy,
    separators: Set<Character> = [],
    tokenCharacters: Set<Character> = []
  ) -> FTS3TokenizerDescriptor {
    var arguments: [String] = []
    if diacritics != .removeLegacy { arguments.append("remove_diacritics=\(diacritics.number)") }
    if !separators.isEmpty { arguments.append("separators=\(String(separators.sorted()))") }
    if !tokenCharacters.isEmpty {
      arguments.append("tokenchars=\(String(tokenCharacters.sorted()))")
    }
    return FTS3TokenizerDescriptor("unicode61", arguments: arguments)
  }
}

extension FTS3 {
  /// Returns the tokens of a text.
  ///
  ///     try FTS3.tokenize("SQLite's database", withTokenizer: .porter)
  ///     // ["sqlite", "s", "databas"]
  ///
  /// - Throws: ``DatabaseError`` when the tokenizer does not exist.
  public static func tokenize(
    _ text: String,
    withTokenizer tokenizer: FTS3TokenizerDescriptor = .simple
  ) throws -> [String] {
    try DatabaseQueue().writeWithoutTransaction { db in
      let words = ([tokenizer.name] + tokenizer.arguments).map(\.databaseValue.sqlLiteral)
      try db.execute(
        sql: "CREATE VIRTUAL TABLE tokens USING fts3tokenize(\(words.joined(separator: ", ")))"
      )
      return try String.fetchAll(
        db,
        sql: "SELECT token FROM tokens WHERE input = ? ORDER BY position",
        arguments: [text]
      )
    }
  }
}
