/// What splits the texts of a table of ``FTS3`` or ``FTS4`` into words.
/// https://www.sqlite.org/fts3.html#tokenizer
public struct FTS3TokenizerDescriptor: Hashable, Sendable {
  /// What becomes of diacritics.
  public enum Diacritics: Hashable, Sendable {
    /// They count: "é" is not "e".
    case keep
    /// They are removed from most characters.
    case removeLegacy
    /// They are removed from all characters.
    case remove

    /// The number by which SQLite knows it.
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
  /// What the tokenizer is told.
  public let arguments: [String]

  /// Makes the descriptor of a tokenizer.
  public init(_ name: String, arguments: [String] = []) {
    self.name = name
    self.arguments = arguments
  }

  /// The option of the module.
  var moduleArgument: String {
    let words = [name.sqlWord] + arguments.map(\.quotedDatabaseIdentifier)
    return "tokenize=\(words.joined(separator: " "))"
  }

  /// Words of ASCII letters, ASCII digits and characters outside of ASCII; without the case of ASCII letters.
  ///
  ///     t.tokenizer = .simple
  ///     // tokenize=simple
  public static let simple = FTS3TokenizerDescriptor("simple")

  /// The words of ``simple``, without English endings.
  ///
  ///     t.tokenizer = .porter
  ///     // tokenize=porter
  public static let porter = FTS3TokenizerDescriptor("porter")

  /// Words of letters and digits of Unicode, without case.
  ///
  ///     t.tokenizer = .unicode61(tokenCharacters: ["-"])
  ///     // tokenize=unicode61 "tokenchars=-"
  ///
  /// - Parameters:
  ///   - diacritics: What becomes of diacritics.
  ///   - separators: Characters that belong to no word.
  ///   - tokenCharacters: Characters that belong to words.
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
  /// The words of a text.
  ///
  ///     try FTS3.tokenize("SQLite's database", withTokenizer: .porter)
  ///     // ["sqlite", "s", "databas"]
  ///
  /// - Throws: ``DatabaseError`` when there is no such tokenizer.
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
