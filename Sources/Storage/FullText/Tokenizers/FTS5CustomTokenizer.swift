/// A tokenizer for tables of ``FTS5`` that is implemented in Swift.
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
///     configuration.prepareDatabase { db in db.add(tokenizer: CommaTokenizer.self) }
///     try db.create(virtualTable: "tag", using: FTS5()) { t in
///       t.tokenizer = CommaTokenizer.tokenizerDescriptor()
///       t.column("names")
///     }
///     // CREATE VIRTUAL TABLE "tag" USING fts5(names, tokenize='comma')
///
/// Each connection that uses such a table needs the tokenizer. A connection creates its own
/// instances, and uses them in one access at a time. A tokenizer must not use the connection
/// outside its initializer.
public protocol FTS5CustomTokenizer: FTS5Tokenizer, SendableMetatype {
  /// The name of the tokenizer in table definitions.
  static var name: String { get }

  /// Creates a tokenizer for a table.
  ///
  /// - Parameters:
  ///   - db: The connection.
  ///   - arguments: The arguments after the name in the table definition.
  /// - Throws: Any error, which makes the statement fail.
  init(db: Database, arguments: [String]) throws
}

extension FTS5CustomTokenizer {
  /// Returns the descriptor for table definitions.
  ///
  ///     t.tokenizer = SynonymTokenizer.tokenizerDescriptor(arguments: ["en"])
  ///     // tokenize='synonyms en'
  public static func tokenizerDescriptor(arguments: [String] = []) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(components: [name] + arguments)
  }
}

/// A tokenizer that changes the tokens of another one: it can drop or replace tokens, or add
/// synonyms.
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
  /// The tokenizer that finds the tokens.
  var wrappedTokenizer: any FTS5Tokenizer { get }

  /// Processes a token of the wrapped tokenizer.
  ///
  /// A tokenizer implements this method, or ``accept(token:flags:for:tokenCallback:)``.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - tokenization: The purpose of the tokenization.
  ///   - found: Called with each token to emit in its place. Errors that it throws must be
  ///     rethrown.
  /// - Throws: Any error, which makes the statement fail.
  func accept(
    _ token: FTS5Token,
    for tokenization: FTS5Tokenization,
    found: (FTS5Token) throws -> Void
  ) throws

  /// Processes a token of the wrapped tokenizer, whose position all emitted tokens get.
  ///
  /// - Parameters:
  ///   - token: The text of the token.
  ///   - flags: Further properties of the token.
  ///   - tokenization: The purpose of the tokenization.
  ///   - tokenCallback: Called with each token to emit in its place. Errors that it throws must be
  ///     rethrown.
  /// - Throws: Any error, which makes the statement fail.
  func accept(
    token: String,
    flags: FTS5TokenFlags,
    for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws
}

/// Receives a token that a ``FTS5WrapperTokenizer`` emits.
public typealias FTS5WrapperTokenCallback =
  (_ token: String, _ flags: FTS5TokenFlags) throws -> Void

extension FTS5WrapperTokenizer {
  /// Finds the tokens of the wrapped tokenizer, and passes each to ``accept(_:for:found:)``.
  public func tokenize(
    _ text: String,
    for tokenization: FTS5Tokenization,
    found: (FTS5Token) throws -> Void
  ) throws {
    try wrappedTokenizer.tokenize(text, for: tokenization) { token in
      try accept(token, for: tokenization, found: found)
    }
  }

  /// Passes the token to ``accept(token:flags:for:tokenCallback:)``.
  public func accept(
    _ token: FTS5Token,
    for tokenization: FTS5Tokenization,
    found: (FTS5Token) throws -> Void
  ) throws {
    try accept(token: token.text, flags: token.flags, for: tokenization) { text, flags in
      try found(FTS5Token(text, at: token.range, flags: flags))
    }
  }

  /// Throws: a tokenizer must implement ``accept(_:for:found:)``.
  public func accept(
    token: String,
    flags: FTS5TokenFlags,
    for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws {
    throw DatabaseError.misuse(
      "a wrapper tokenizer must implement accept(_:for:found:): \(type(of: self)) has no such method"
    )
  }
}
