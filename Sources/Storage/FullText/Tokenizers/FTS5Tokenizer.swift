internal import CWellspringSQLite

/// Splits texts into words, for a table of ``FTS5``.
///
/// ``Database/makeTokenizer(_:)`` makes those of SQLite; ``FTS5CustomTokenizer`` is for those in Swift.
public protocol FTS5Tokenizer: AnyObject {
  /// Finds the words of a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - tokenization: What the words are for.
  ///   - found: Called with each word, from the beginning to the end. What it throws must be thrown on.
  /// - Throws: What makes the statement fail.
  func tokenize(
    _ text: String,
    for tokenization: FTS5Tokenization,
    found: (FTS5Token) throws -> Void
  ) throws
}

/// A word, and where it stands.
public struct FTS5Token: Hashable, Sendable {
  /// The word as it goes into the index.
  public var text: String

  /// Where it stands in the text, in bytes of UTF-8.
  public var range: Range<Int>

  /// What else there is to say.
  public var flags: FTS5TokenFlags

  /// Makes a word.
  public init(_ text: String, at range: Range<Int>, flags: FTS5TokenFlags = []) {
    self.text = text
    self.range = range
    self.flags = flags
  }
}

/// What there is to say of a word.
public struct FTS5TokenFlags: OptionSet, Hashable, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let rawValue: Int32

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The word stands at the place of the one before: it is a synonym.
  public static let colocated = FTS5TokenFlags(rawValue: FTS5_TOKEN_COLOCATED)
}

/// What words are for.
public struct FTS5Tokenization: OptionSet, Hashable, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let rawValue: Int32

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// A pattern is read.
  public static let query = FTS5Tokenization(rawValue: FTS5_TOKENIZE_QUERY)
  /// The last word of the text is the beginning of one. It comes with ``query``.
  public static let prefix = FTS5Tokenization(rawValue: FTS5_TOKENIZE_PREFIX)
  /// A row goes into the index, or out of it.
  public static let document = FTS5Tokenization(rawValue: FTS5_TOKENIZE_DOCUMENT)
  /// A function such as `highlight` looks at a text.
  public static let aux = FTS5Tokenization(rawValue: FTS5_TOKENIZE_AUX)
}

extension FTS5Tokenizer {
  /// The words of a text that goes into an index.
  ///
  /// - Throws: What the tokenizer throws.
  public func tokenize(document: String) throws -> [(token: String, flags: FTS5TokenFlags)] {
    try tokens(of: document, for: .document)
  }

  /// The words of a text that is looked for.
  ///
  /// - Throws: What the tokenizer throws.
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
