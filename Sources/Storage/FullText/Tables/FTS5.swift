/// SQLite's module for FTS5 full-text tables.
///
///     try db.create(virtualTable: "document", using: FTS5()) { t in
///       t.tokenizer = .porter()
///       t.column("title")
///       t.column("body").notIndexed()
///     }
///     // CREATE VIRTUAL TABLE "document" USING fts5(title, body UNINDEXED, tokenize='porter')
///
/// https://www.sqlite.org/fts5.html
public struct FTS5: VirtualTableModule {
  /// The treatment of diacritics.
  public typealias Diacritics = FTS3TokenizerDescriptor.Diacritics

  /// Creates the module.
  public init() {}

  /// The name of the module: `fts5`.
  public var moduleName: String { "fts5" }

  /// Creates an empty definition.
  public func makeTableDefinition(
    configuration: VirtualTableConfiguration
  ) -> FTS5TableDefinition {
    FTS5TableDefinition(configuration)
  }

  /// Returns the columns and the options in SQL.
  public func moduleArguments(
    for definition: FTS5TableDefinition,
    in db: Database
  ) throws -> [String] {
    var columns = definition.columns
    if columns.isEmpty, let table = definition.source.synchronizedTable {
      columns = try db.columns(in: table).map { FTS5ColumnDefinition($0.name) }
    }
    var arguments = columns.map { $0.name.sqlWord + ($0.isIndexed ? "" : " UNINDEXED") }
    func add(_ option: String, _ value: String?) {
      if let value { arguments.append("\(option)=\(value.databaseValue.sqlLiteral)") }
    }
    if let tokenizer = definition.tokenizer { add("tokenize", tokenizer.moduleArgument) }
    add("content", definition.source.tableName)
    var rowID = definition.contentRowID
    if rowID == nil, let table = definition.source.synchronizedTable {
      let name = try db.tableInfo(table).rowIDName
      rowID = name == Column.rowID.name ? nil : name
    }
    add("content_rowid", rowID)
    if let prefixes = definition.prefixes, !prefixes.isEmpty {
      add("prefix", prefixes.sorted().map(String.init).joined(separator: " "))
    }
    if let columnSize = definition.columnSize { arguments.append("columnsize=\(columnSize)") }
    add("detail", definition.detail)
    return arguments
  }

  /// Creates the triggers that synchronize the index with another table, and fills the index.
  public func database(
    _ db: Database,
    didCreate tableName: String,
    using definition: FTS5TableDefinition
  ) throws {
    guard let table = definition.source.synchronizedTable else { return }
    let index = tableName.quotedDatabaseIdentifier
    try db.synchronize(
      fullTextTable: tableName,
      withTable: table,
      configuration: definition.configuration
    ) { columns, rowID in
      func values(_ row: String) -> String {
        (["\(row).\(rowID)"] + columns.map { "\(row).\($0)" }).joined(separator: ", ")
      }
      let names = (["rowid"] + columns).joined(separator: ", ")
      let insertion = "INSERT INTO \(index) (\(names)) VALUES (\(values("new")))"
      let deletion =
        "INSERT INTO \(index) (\(index), \(names)) VALUES ('delete', \(values("old")))"
      return [
        .afterInsert: [insertion],
        .afterDelete: [deletion],
        .afterUpdate: [deletion, insertion],
      ]
    }
  }
}

/// The definition of a table of ``FTS5``.
public final class FTS5TableDefinition {
  var columns: [FTS5ColumnDefinition] = []
  var source = FullTextContent.own
  let configuration: VirtualTableConfiguration

  init(_ configuration: VirtualTableConfiguration) {
    self.configuration = configuration
  }

  /// The tokenizer that splits texts into words; `unicode61` by default.
  ///
  ///     t.tokenizer = .porter()
  ///     // tokenize='porter'
  public var tokenizer: FTS5TokenizerDescriptor?

  /// The name of the table or view that stores the texts; empty when the texts are not stored.
  ///
  ///     t.content = "document"
  ///     // content='document'
  public var content: String? {
    get { source.tableName }
    set { source = FullTextContent(tableName: newValue) }
  }

  /// The column of the ``content`` table that holds the row ids; `rowid` by default.
  public var contentRowID: String?

  /// The lengths, in characters, of the word prefixes that get their own index.
  ///
  ///     t.prefixes = [2, 4]
  ///     // prefix='2 4'
  public var prefixes: Set<Int>?

  /// 0 for a smaller table, whose texts `bm25` must read.
  public var columnSize: Int?

  /// `column` or `none` for a smaller index that records less about the positions of words.
  public var detail: String?

  /// Adds a column.
  @discardableResult
  public func column(_ name: String) -> FTS5ColumnDefinition {
    let column = FTS5ColumnDefinition(name)
    columns.append(column)
    return column
  }

  /// Indexes the texts of another table, and keeps the index up to date with triggers.
  ///
  /// If the definition adds no columns, it gets the columns of the other table.
  ///
  ///     t.synchronize(withTable: "document")
  ///     // content='document', content_rowid='id'
  ///
  /// See ``Database/dropFTS5SynchronizationTriggers(forTable:)``.
  public func synchronize(withTable tableName: String) { source = .synchronized(tableName) }
}

/// The definition of a column of an ``FTS5`` table.
public final class FTS5ColumnDefinition {
  let name: String
  var isIndexed = true

  init(_ name: String) {
    self.name = name
  }

  /// Excludes the column from the index.
  ///
  ///     t.column("body").notIndexed()
  ///     // body UNINDEXED
  @discardableResult
  public func notIndexed() -> Self {
    isIndexed = false
    return self
  }
}

extension FTS5 {
  /// Returns a fragment of a text around the matches.
  ///
  ///     Document.matching(pattern).select(FTS5.snippet(before: "<b>", after: "</b>"))
  ///     // SELECT SNIPPET("document", -1, '<b>', '</b>', '…', 16) FROM "document" WHERE …
  ///
  /// - Parameters:
  ///   - column: The number of the column, from 0; -1 for the column that matches best.
  ///   - before: The text before each matching word.
  ///   - after: The text after each matching word.
  ///   - ellipsis: The text that replaces omitted text.
  ///   - tokenCount: The maximum number of words in the fragment: 1 to 64.
  /// - Returns: The fragment.
  public static func snippet(
    column: Int = -1,
    before: String,
    after: String,
    ellipsis: String = "…",
    tokenCount: Int = 16
  ) -> SQLExpression {
    .fullText("SNIPPET", [column, before, after, ellipsis, tokenCount])
  }

  /// Returns a text with marks around the matches.
  ///
  ///     Document.matching(pattern).select(FTS5.highlight(column: 0, before: "<b>", after: "</b>"))
  ///     // SELECT HIGHLIGHT("document", 0, '<b>', '</b>') FROM "document" WHERE …
  ///
  /// - Parameters:
  ///   - column: The number of the column, from 0.
  ///   - before: The text before each matching word.
  ///   - after: The text after each matching word.
  /// - Returns: The text with marks.
  public static func highlight(column: Int, before: String, after: String) -> SQLExpression {
    .fullText("HIGHLIGHT", [column, before, after])
  }

  /// Returns how well a row matches: the best rows have the lowest numbers.
  ///
  ///     Document.matching(pattern).order(FTS5.bm25(weights: [10, 1]))
  ///     // SELECT * FROM "document" WHERE … ORDER BY BM25("document", 10.0, 1.0)
  ///
  /// `Column.rank` gives the same order with equal weights, and is faster.
  ///
  /// - Parameter weights: The weight of each column; 1 by default.
  /// - Returns: A number.
  public static func bm25(weights: [Double] = []) -> SQLExpression { .fullText("BM25", weights) }
}
