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
