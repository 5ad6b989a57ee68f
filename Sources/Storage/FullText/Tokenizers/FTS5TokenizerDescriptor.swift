/// What splits the texts of a table of ``FTS5`` into words.
/// https://www.sqlite.org/fts5.html#tokenizers
public struct FTS5TokenizerDescriptor: Hashable, Sendable {
  /// What becomes of diacritics.
  public typealias Diacritics = FTS3TokenizerDescriptor.Diacritics

  /// The name of the tokenizer, and what it is told.
  public let components: [String]

  /// Makes the descriptor of a tokenizer.
  ///
  ///     FTS5TokenizerDescriptor(components: ["porter", "unicode61", "remove_diacritics", "0"])
  ///     // tokenize='porter unicode61 remove_diacritics 0'
  ///
  /// - Precondition: There is a component: the name.
  public init(components: [String]) {
    precondition(!components.isEmpty, "A tokenizer has a name: the first component.")
    self.components = components
  }

  /// The name of the tokenizer.
  public var name: String { components[0] }

  /// What the tokenizer is told.
  public var arguments: [String] { Array(components.dropFirst()) }

  /// The value of the option of the module: words, in quotes where they are needed.
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

  /// Words of ASCII letters, ASCII digits and characters outside of ASCII; without the case of ASCII letters.
  ///
  ///     t.tokenizer = .ascii()
  ///     // tokenize='ascii'
  ///
  /// - Parameters:
  ///   - separators: Characters of ASCII that belong to no word.
  ///   - tokenCharacters: Characters of ASCII that belong to words.
  /// - Returns: The tokenizer.
  public static func ascii(
    separators: Set<Character> = [],
    tokenCharacters: Set<Character> = []
  ) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(
      components: ["ascii"] + options(separators: separators, tokenCharacters: tokenCharacters)
    )
  }

  /// Words of letters and digits of Unicode, without case.
  ///
  ///     t.tokenizer = .unicode61(diacritics: .remove, tokenCharacters: ["-"])
  ///     // tokenize='unicode61 remove_diacritics 2 tokenchars ''-'''
  ///
  /// - Parameters:
  ///   - diacritics: What becomes of diacritics.
  ///   - categories: The categories of Unicode whose characters make words, such as `"L* N* Co"`.
  ///   - separators: Characters that belong to no word.
  ///   - tokenCharacters: Characters that belong to words.
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

  /// The words of another tokenizer, without English endings.
  ///
  ///     t.tokenizer = .porter(wrapping: .ascii())
  ///     // tokenize='porter ascii'
  ///
  /// - Parameter base: The other tokenizer; `unicode61` unless given.
  /// - Returns: The tokenizer.
  public static func porter(
    wrapping base: FTS5TokenizerDescriptor? = nil
  ) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(components: ["porter"] + (base?.components ?? []))
  }

  /// All runs of three characters, with which `LIKE '%…%'` is fast too.
  ///
  ///     t.tokenizer = .trigram(isCaseSensitive: true)
  ///     // tokenize='trigram case_sensitive 1'
  ///
  /// - Parameter isCaseSensitive: Whether case counts.
  /// - Returns: The tokenizer.
  public static func trigram(isCaseSensitive: Bool = false) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(
      components: ["trigram"] + (isCaseSensitive ? ["case_sensitive", "1"] : [])
    )
  }

  private static func options(
    separators: Set<Character>,
    tokenCharacters: Set<Character>
  ) -> [String] {
    (separators.isEmpty ? [] : ["separators", String(separators.sorted())])
      + (tokenCharacters.isEmpty ? [] : ["tokenchars", String(tokenCharacters.sorted())])
  }
}
