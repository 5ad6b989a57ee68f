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
