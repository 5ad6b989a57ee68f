/// Splits texts into tokens, for a table of ``FTS5``.
///
/// ``Database/makeTokenizer(_:)`` creates SQLite's tokenizers; implement ``FTS5CustomTokenizer``
/// for one in Swift.
public protocol FTS5Tokenizer: AnyObject {
  /// Finds the tokens of a text.
  ///
  /// A tokenizer implements this method or
  /// ``tokenize(context:tokenization:pText:nText:tokenCallback:)``, which is the other one by
  /// default.
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

  /// Finds the tokens of a text in memory, as a C function of SQLite.
  /// https://www.sqlite.org/fts5.html#custom_tokenizers
  ///
  /// - Parameters:
  ///   - context: The first argument of the callback.
  ///   - tokenization: The purpose of the tokenization.
  ///   - pText: The text in UTF-8, which need not be valid.
  ///   - nText: The length of the text, in bytes.
  ///   - tokenCallback: Called with each token, from the beginning to the end.
  /// - Returns: 0 for success, or the first other result of the callback.
  func tokenize(
    context: UnsafeMutableRawPointer?,
    tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?,
    nText: CInt,
    tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt
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
