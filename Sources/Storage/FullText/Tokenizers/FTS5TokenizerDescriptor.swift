/// A tokenizer for tables of ``FTS5``, with its arguments.
/// https://www.sqlite.org/fts5.html#tokenizers
public struct FTS5TokenizerDescriptor: Hashable, Sendable {
  /// The treatment of diacritics.
  public typealias Diacritics = FTS3TokenizerDescriptor.Diacritics

  /// The name of the tokenizer, followed by its arguments.
  public let components: [String]

  /// Creates the descriptor of a tokenizer.
  ///
  ///     FTS5TokenizerDescriptor(components: ["porter", "unicode61", "remove_diacritics", "0"])
  ///     // tokenize='porter unicode61 remove_diacritics 0'
  ///
  /// - Precondition: `components` is not empty: the first component is the name.
  public init(components: [String]) {
    precondition(!components.isEmpty, "A tokenizer needs a name: its first component.")
    self.components = components
  }

  /// The name of the tokenizer.
  public var name: String { components[0] }

  /// The arguments of the tokenizer.
  public var arguments: [String] { Array(components.dropFirst()) }

  /// The value of the module argument `tokenize`: words, quoted where necessary.
  var moduleArgument: String {
    components.map { component in
      let isWord = component.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
      return isWord && !component.isEmpty ? component : component.databaseValue.sqlLiteral
    }.joined(separator: " ")
  }

  /// Finds words of ASCII letters, ASCII digits and characters outside ASCII, ignoring the case of
  /// ASCII letters.
  ///
  ///     t.tokenizer = .ascii()
  ///     // tokenize='ascii'
  ///
  /// - Parameters:
  ///   - separators: Additional ASCII characters that separate words.
  ///   - tokenCharacters: Additional ASCII characters that belong to words.
  /// - Returns: The tokenizer.
  public static func ascii(
    separators: Set<Character> = [],
    tokenCharacters: Set<Character> = []
  ) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(
      components: ["ascii"] + options(separators: separators, tokenCharacters: tokenCharacters)
    )
  }

  /// Finds words of Unicode letters and digits, ignoring case.
  ///
  ///     t.tokenizer = .unicode61(diacritics: .remove, tokenCharacters: ["-"])
  ///     // tokenize='unicode61 remove_diacritics 2 tokenchars ''-'''
  ///
  /// - Parameters:
  ///   - diacritics: The treatment of diacritics.
  ///   - categories: The Unicode categories whose characters form words, such as `"L* N* Co"`.
  ///   - separators: Additional characters that separate words.
  ///   - tokenCharacters: Additional characters that belong to words.
  /// - Returns: The tokenizer.
  public static func unicode61(
    diacritics: Diacritics = .removeLegacy,
    categories: String = "",
    separators: Set<Character> = [],
    tokenCharacters: Set<Character> = []
  ) -> FTS5TokenizerDescriptor {
    var components = ["unicode61"]
    if diacritics != .removeLegacy { components += ["remove_diacritics", "\(diacritics.number)"] }
    if !categories.isEmpty { components += ["categories", categories] }
    components += options(separators: separators, tokenCharacters: tokenCharacters)
    return FTS5TokenizerDescriptor(components: components)
  }

  /// Finds the words of another tokenizer, and removes English suffixes from them.
  ///
  ///     t.tokenizer = .porter(wrapping: .ascii())
  ///     // tokenize='porter ascii'
  ///
  /// - Parameter base: The other tokenizer; `unicode61` by default.
  /// - Returns: The tokenizer.
  public static func porter(
    wrapping base: FTS5TokenizerDescriptor? = nil
  ) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(components: ["porter"] + (base?.components ?? []))
  }

  /// Finds all sequences of three characters, which also makes `LIKE '%…%'` fast.
  ///
  ///     t.tokenizer = .trigram(isCaseSensitive: true)
  ///     // tokenize='trigram case_sensitive 1'
  ///
  /// - Parameter isCaseSensitive: Whether case is significant.
  /// - Returns: The tokenizer.
  public static func trigram(isCaseSensitive: Bool) -> FTS5TokenizerDescriptor {
    trigram(caseSensitive: isCaseSensitive ? true : nil)
  }

  /// Finds all sequences of three characters, which also makes `LIKE '%…%'` fast.
  ///
  ///     t.tokenizer = .trigram(removeDiacritics: true)
  ///     // tokenize='trigram remove_diacritics 1'
  ///
  /// - Parameters:
  ///   - caseSensitive: Whether case is significant; SQLite's default is `false`.
  ///   - removeDiacritics: Whether "é" is "e"; SQLite's default is `false`. It needs SQLite 3.45,
  ///     and excludes `caseSensitive`.
  /// - Returns: The tokenizer.
  public static func trigram(
    caseSensitive: Bool? = nil,
    removeDiacritics: Bool? = nil
  ) -> FTS5TokenizerDescriptor {
    var components = ["trigram"]
    if let caseSensitive { components += ["case_sensitive", caseSensitive ? "1" : "0"] }
    if let removeDiacritics { components += ["remove_diacritics", removeDiacritics ? "1" : "0"] }
    return FTS5TokenizerDescriptor(components: components)
  }

  private static func options(
    separators: Set<Character>,
    tokenCharacters: Set<Character>
  ) -> [String] {
    (separators.isEmpty ? [] : ["separators", String(separators.sorted())])
      + (tokenCharacters.isEmpty ? [] : ["tokenchars", String(tokenCharacters.sorted())])
  }
}
