internal import CWellspringSQLite

/// The purpose of a tokenization.
public struct FTS5Tokenization: OptionSet, Hashable, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let rawValue: Int32

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// A search pattern is parsed.
  public static let query = FTS5Tokenization(rawValue: FTS5_TOKENIZE_QUERY)
  /// The last token of the text is a prefix. This comes with ``query``.
  public static let prefix = FTS5Tokenization(rawValue: FTS5_TOKENIZE_PREFIX)
  /// A row is added to the index or removed from it.
  public static let document = FTS5Tokenization(rawValue: FTS5_TOKENIZE_DOCUMENT)
  /// An auxiliary function such as `highlight` reads a text.
  public static let aux = FTS5Tokenization(rawValue: FTS5_TOKENIZE_AUX)
}
