/// Full-text tables of SQLite's module FTS4.
///
///     try db.create(virtualTable: "document", using: FTS4()) { t in
///       t.tokenizer = .unicode61()
///       t.column("title")
///       t.column("body").notIndexed()
///     }
///     // CREATE VIRTUAL TABLE "document" USING fts4(title, body, notindexed=body, tokenize=unicode61)
///
/// https://www.sqlite.org/fts3.html#fts4_options
public struct FTS4: VirtualTableModule {
  /// Makes the module.
  public init() {}

  /// The name of the module: `fts4`.
  public var moduleName: String { "fts4" }

  /// Makes an empty definition.
  public func makeTableDefinition(
    configuration: VirtualTableConfiguration
  ) -> FTS4TableDefinition {
    FTS4TableDefinition(configuration)
  }

  /// The columns and the options, as SQL.
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

  /// Creates the triggers that keep the index in step with another table, and fills the index.
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
      // What is deleted is looked up in the table, where it must still be.
      return [
        .beforeUpdate: [deletion],
        .beforeDelete: [deletion],
        .afterUpdate: [insertion],
        .afterInsert: [insertion],
      ]
    }
  }
}

/// What a table of ``FTS4`` is defined by.
public final class FTS4TableDefinition {
  /// In which order a table keeps the rows of a word.
  public enum Order: String, Sendable {
    /// By rising row ids.
    case ascending = "asc"
    /// By falling row ids: queries with `ORDER BY docid DESC` are fast.
    case descending = "desc"

    /// By rising row ids.
    public static var asc: Order { .ascending }
    /// By falling row ids.
    public static var desc: Order { .descending }
  }

  fileprivate var columns: [FTS4ColumnDefinition] = []
  fileprivate var source = FullTextContent.own
  fileprivate let configuration: VirtualTableConfiguration

  fileprivate init(_ configuration: VirtualTableConfiguration) {
    self.configuration = configuration
  }

  /// What splits texts into words; `simple` unless it is set.
  ///
  ///     t.tokenizer = .porter
  ///     // tokenize=porter
  public var tokenizer: FTS3TokenizerDescriptor?

  /// The name of a table or view that holds the texts; empty when nothing does.
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

  /// `fts3` for a smaller index, with which `matchinfo` can tell less.
  public var matchinfo: String?

  /// In which order the rows of a word are kept.
  public var order: Order?

  /// The lengths, in bytes, of the beginnings of words that get an index of their own.
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

  /// Takes the texts of another table, and follows its changes by triggers. Without columns of its own, the
  /// definition gets those of the table.
  ///
  ///     t.synchronize(withTable: "document")
  ///     // content="document"
  ///
  /// See ``Database/dropFTS4SynchronizationTriggers(forTable:)``.
  public func synchronize(withTable tableName: String) { source = .synchronized(tableName) }
}

/// A column of a table of ``FTS4``.
public final class FTS4ColumnDefinition {
  fileprivate let name: String
  fileprivate var isIndexed = true
  fileprivate var isLanguageID = false

  fileprivate init(_ name: String) {
    self.name = name
  }

  /// Keeps the column out of the index.
  ///
  ///     t.column("body").notIndexed()
  ///     // body, notindexed=body
  @discardableResult
  public func notIndexed() -> Self {
    isIndexed = false
    return self
  }

  /// Takes the column as the number of the language, which goes to the tokenizer.
  ///
  ///     t.column("lid").asLanguageId()
  ///     // languageid="lid"
  @discardableResult
  public func asLanguageId() -> Self {
    isLanguageID = true
    return self
  }
}

extension Database {
  /// Drops the triggers that keep a full-text table in step with another table, which
  /// ``FTS4TableDefinition/synchronize(withTable:)`` has made. Call it when the full-text table is dropped.
  ///
  /// - Throws: ``DatabaseError``.
  public func dropFTS4SynchronizationTriggers(forTable tableName: String) throws {
    try FullTextTriggers(fullTextTable: tableName).drop(self)
  }
}
