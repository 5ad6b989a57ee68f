/// SQLite's module for FTS4 full-text tables.
///
///     try db.create(virtualTable: "document", using: FTS4()) { t in
///       t.tokenizer = .unicode61()
///       t.column("title")
///       t.column("body").notIndexed()
///     }
///     // CREATE VIRTUAL TABLE "document"
///     //   USING fts4(title, body, notindexed=body, tokenize=unicode61)
///
/// https://www.sqlite.org/fts3.html#fts4_options
public struct FTS4: VirtualTableModule {
  /// Creates the module.
  public init() {}

  /// The name of the module: `fts4`.
  public var moduleName: String { "fts4" }

  /// Creates an empty definition.
  public func makeTableDefinition(
    configuration: VirtualTableConfiguration
  ) -> FTS4TableDefinition {
    FTS4TableDefinition(configuration)
  }

  /// Returns the columns and the options in SQL.
  public func moduleArguments(
    for definition: FTS4TableDefinition,
    in db: Database
  ) throws -> [String] {
    var columns = definition.columns.filter { !$0.isLanguageID }
    if columns.isEmpty, let table = definition.source.synchronizedTable {
      columns = try db.columns(in: table).map { FTS4ColumnDefinition($0.name) }
    }
    var arguments = columns.map(\.name.sqlWord)
    arguments += columns.filter { !$0.isIndexed }.map { "notindexed=\($0.name.sqlWord)" }
    func add(_ option: String, _ value: String?) {
      if let value { arguments.append("\(option)=\(value.quotedDatabaseIdentifier)") }
    }
    for column in definition.columns where column.isLanguageID { add("languageid", column.name) }
    if let tokenizer = definition.tokenizer { arguments.append(tokenizer.moduleArgument) }
    add("content", definition.source.tableName)
    add("compress", definition.compress)
    add("uncompress", definition.uncompress)
    add("matchinfo", definition.matchinfo)
    add("order", definition.order?.rawValue)
    if let prefixes = definition.prefixes, !prefixes.isEmpty {
      add("prefix", prefixes.sorted().map(String.init).joined(separator: ","))
    }
    return arguments
  }

  /// Creates the triggers that synchronize the index with another table, and fills the index.
  public func database(
    _ db: Database,
    didCreate tableName: String,
    using definition: FTS4TableDefinition
  ) throws {
    guard let table = definition.source.synchronizedTable else { return }
    let index = tableName.quotedDatabaseIdentifier
    let languageIDs = definition.columns.filter(\.isLanguageID)
      .map(\.name.quotedDatabaseIdentifier)
    try db.synchronize(
      fullTextTable: tableName,
      withTable: table,
      configuration: definition.configuration
    ) { columns, rowID in
      let columns = columns.filter { !languageIDs.contains($0) }
      let values = ["new.\(rowID)"] + columns.map { "new.\($0)" }
      let deletion = "DELETE FROM \(index) WHERE docid = old.\(rowID)"
      let insertion = """
        INSERT INTO \(index) (docid, \(columns.joined(separator: ", "))) \
        VALUES (\(values.joined(separator: ", ")))
        """
      // FTS4 reads the deleted texts from the table, so they must be deleted from the index first.
      return [
        .beforeUpdate: [deletion],
        .beforeDelete: [deletion],
        .afterUpdate: [insertion],
        .afterInsert: [insertion],
      ]
    }
  }
}

/// The definition of a table of ``FTS4``.
public final class FTS4TableDefinition {
  /// The order in which a table stores the rows that contain a word.
  public enum Order: String, Sendable {
    /// By ascending row id.
    case ascending = "asc"
    /// By descending row id, which makes queries with `ORDER BY docid DESC` fast.
    case descending = "desc"

    /// By ascending row id.
    public static var asc: Order { .ascending }
    /// By descending row id.
    public static var desc: Order { .descending }
  }

  var columns: [FTS4ColumnDefinition] = []
  var source = FullTextContent.own
  let configuration: VirtualTableConfiguration

  init(_ configuration: VirtualTableConfiguration) {
    self.configuration = configuration
  }

  /// The tokenizer that splits texts into words; `simple` by default.
  ///
  ///     t.tokenizer = .porter
  ///     // tokenize=porter
  public var tokenizer: FTS3TokenizerDescriptor?

  /// The name of the table or view that stores the texts; empty when the texts are not stored.
  ///
  ///     t.content = "document"
  ///     // content="document"
  public var content: String? {
    get { source.tableName }
    set { source = FullTextContent(tableName: newValue) }
  }

  /// The name of an SQL function that compresses texts.
  public var compress: String?

  /// The name of an SQL function that expands texts.
  public var uncompress: String?

  /// `fts3` for a smaller index that provides less information to `matchinfo`.
  public var matchinfo: String?

  /// The order in which the rows that contain a word are stored.
  public var order: Order?

  /// The lengths, in bytes, of the word prefixes that get their own index.
  ///
  ///     t.prefixes = [2, 4]
  ///     // prefix="2,4"
  public var prefixes: Set<Int>?

  /// Adds a column.
  @discardableResult
  public func column(_ name: String) -> FTS4ColumnDefinition {
    let column = FTS4ColumnDefinition(name)
    columns.append(column)
    return column
  }

  /// Indexes the texts of another table, and keeps the index up to date with triggers.
  ///
  /// If the definition adds no columns, it gets the columns of the other table.
  ///
  ///     t.synchronize(withTable: "document")
  ///     // content="document"
  ///
  /// See ``Database/dropFTS4SynchronizationTriggers(forTable:)``.
  public func synchronize(withTable tableName: String) { source = .synchronized(tableName) }
}

/// The definition of a column of an ``FTS4`` table.
public final class FTS4ColumnDefinition {
  let name: String
  var isIndexed = true
  var isLanguageID = false

  init(_ name: String) {
    self.name = name
  }

  /// Excludes the column from the index.
  ///
  ///     t.column("body").notIndexed()
  ///     // body, notindexed=body
  @discardableResult
  public func notIndexed() -> Self {
    isIndexed = false
    return self
  }

  /// Makes the column the language id, which is passed to the tokenizer.
  ///
  ///     t.column("lid").asLanguageId()
  ///     // languageid="lid"
  @discardableResult
  public func asLanguageId() -> Self {
    isLanguageID = true
    return self
  }
}

extension FTS4 {
  /// Returns a fragment of a text around the matches.
  ///
  ///     Document.matching(pattern).select(FTS4.snippet(before: "<b>", after: "</b>"))
  ///     // SELECT SNIPPET("document", '<b>', '</b>', '…', -1, 16) FROM "document" WHERE …
  ///
  /// - Parameters:
  ///   - column: The number of the column, from 0; -1 for any column.
  ///   - before: The text before each matching word.
  ///   - after: The text after each matching word.
  ///   - ellipsis: The text that replaces omitted text.
  ///   - tokenCount: The approximate number of words in the fragment.
  /// - Returns: The fragment.
  public static func snippet(
    column: Int = -1,
    before: String,
    after: String,
    ellipsis: String = "…",
    tokenCount: Int = 16
  ) -> SQLExpression {
    .fullText("SNIPPET", [before, after, ellipsis, column, tokenCount])
  }

  /// Returns the positions of the matches in the row: four numbers for each match, as text.
  ///
  ///     Document.matching(pattern).select(FTS4.offsets())
  ///     // SELECT OFFSETS("document") FROM "document" WHERE …
  public static func offsets() -> SQLExpression { .fullText("OFFSETS") }

  /// Returns information about the matches: 32-bit numbers in a BLOB.
  /// https://www.sqlite.org/fts3.html#matchinfo
  ///
  ///     Document.matching(pattern).select(FTS4.matchInfo("pcx"))
  ///     // SELECT MATCHINFO("document", 'pcx') FROM "document" WHERE …
  ///
  /// - Parameter format: The requested information, with a letter for each kind.
  /// - Returns: A BLOB.
  public static func matchInfo(_ format: String = "pcx") -> SQLExpression {
    .fullText("MATCHINFO", [format])
  }
}
