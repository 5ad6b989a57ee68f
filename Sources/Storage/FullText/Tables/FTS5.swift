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
