/// Splits texts into tokens, for a table of ``FTS5``.
///
/// ``Database/makeTokenizer(_:)`` creates SQLite's tokenizers; implement ``FTS5CustomTokenizer``
/// for one in Swift.
public protocol FTS5Tokenizer: AnyObject {
  /// Finds the tokens of a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - tokenization: The purpose of the tokenization.
  ///   - found: Called with each token, from the beginning to the end. Errors that it throws must
  ///     be rethrown.
  /// - Throws: Any error, which makes the statement fail.
  func tokenize(
    _ text: String,
    for tokenization: FTS5Tokenization,
    found: (FTS5Token) throws -> Void
  ) throws
}

extension FTS5Tokenizer {
  /// Returns the tokens of a text that is indexed.
  ///
  /// - Throws: Any error of the tokenizer.
  public func tokenize(document: String) throws -> [(token: String, flags: FTS5TokenFlags)] {
    try tokens(of: document, for: .document)
  }

  /// Returns the tokens of a text that is searched for.
  ///
  /// - Throws: Any error of the tokenizer.
  public func tokenize(query: String) throws -> [(token: String, flags: FTS5TokenFlags)] {
    try tokens(of: query, for: .query)
  }

  private func tokens(
    of text: String,
    for tokenization: FTS5Tokenization
  ) throws -> [(token: String, flags: FTS5TokenFlags)] {
    var tokens: [(token: String, flags: FTS5TokenFlags)] = []
    try tokenize(text, for: tokenization) { tokens.append(($0.text, $0.flags)) }
    return tokens
  }
}
