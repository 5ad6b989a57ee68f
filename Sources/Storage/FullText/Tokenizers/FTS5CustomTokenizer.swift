/// A tokenizer in Swift for tables of ``FTS5``.
///
///     final class CommaTokenizer: FTS5CustomTokenizer {
///       static let name = "comma"
///
///       init(db: Database, arguments: [String]) {}
///
///       func tokenize(
///         _ text: String,
///         for tokenization: FTS5Tokenization,
///         found: (FTS5Token) throws -> Void
///       ) throws {
///         var start = 0
///         for word in text.split(separator: ",", omittingEmptySubsequences: false) {
///           let end = start + word.utf8.count
///           try found(FTS5Token(word.lowercased(), at: start..<end))
///           start = end + 1
///         }
///       }
///     }
///
///     configuration.prepareDatabase { db in try db.add(tokenizer: CommaTokenizer.self) }
///     try db.create(virtualTable: "tag", using: FTS5()) { t in
///       t.tokenizer = CommaTokenizer.tokenizerDescriptor()
///       t.column("names")
///     }
///     // CREATE VIRTUAL TABLE "tag" USING fts5(names, tokenize='comma')
///
/// Each connection that uses such a table needs the tokenizer. A connection makes its own objects, and uses them
/// in one access at a time. A tokenizer must not use the connection but in its initializer.
public protocol FTS5CustomTokenizer: FTS5Tokenizer, SendableMetatype {
  /// The name, by which tables call the tokenizer.
  static var name: String { get }

  /// Makes a tokenizer for a table.
  ///
  /// - Parameters:
  ///   - db: The connection.
  ///   - arguments: What the definition of the table says behind the name.
  /// - Throws: What makes the statement fail.
  init(db: Database, arguments: [String]) throws
}

extension FTS5CustomTokenizer {
  /// The descriptor for definitions of tables.
  ///
  ///     t.tokenizer = SynonymTokenizer.tokenizerDescriptor(arguments: ["en"])
  ///     // tokenize='synonyms en'
  public static func tokenizerDescriptor(arguments: [String] = []) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(components: [name] + arguments)
  }
}

/// A tokenizer that changes the words of another one: it can drop words, replace them, or add synonyms.
///
///     final class StopWordTokenizer: FTS5WrapperTokenizer {
///       static let name = "stop"
///       let wrappedTokenizer: any FTS5Tokenizer
///
///       init(db: Database, arguments: [String]) throws {
///         wrappedTokenizer = try db.makeTokenizer(.unicode61())
///       }
///
///       func accept(
///         _ token: FTS5Token,
///         for tokenization: FTS5Tokenization,
///         found: (FTS5Token) throws -> Void
///       ) throws {
///         if token.text != "the" { try found(token) }
///       }
///     }
public protocol FTS5WrapperTokenizer: FTS5CustomTokenizer {
  /// The tokenizer that finds the words.
  var wrappedTokenizer: any FTS5Tokenizer { get }

  /// Takes a word of the wrapped tokenizer.
  ///
  /// - Parameters:
  ///   - token: The word.
  ///   - tokenization: What the words are for.
  ///   - found: Called with each word that stands for it. What it throws must be thrown on.
  /// - Throws: What makes the statement fail.
  func accept(
    _ token: FTS5Token,
    for tokenization: FTS5Tokenization,
    found: (FTS5Token) throws -> Void
  ) throws
}

extension FTS5WrapperTokenizer {
  /// Finds the words of the wrapped tokenizer, and hands on what ``accept(_:for:found:)`` makes of them.
  public func tokenize(
    _ text: String,
    for tokenization: FTS5Tokenization,
    found: (FTS5Token) throws -> Void
  ) throws {
    try wrappedTokenizer.tokenize(text, for: tokenization) { token in
      try accept(token, for: tokenization, found: found)
    }
  }
}
