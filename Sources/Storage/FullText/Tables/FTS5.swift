/// Full-text tables of SQLite's module FTS5.
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
  /// Makes the module.
  public init() {}

  /// The name of the module: `fts5`.
  public var moduleName: String { "fts5" }

  /// Makes an empty definition.
  public func makeTableDefinition(
    configuration: VirtualTableConfiguration
  ) -> FTS5TableDefinition {
    FTS5TableDefinition(configuration)
  }

  /// The columns and the options, as SQL.
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
      rowID = try db.primaryKey(table).rowIDColumn
    }
    add("content_rowid", rowID)
    if let prefixes = definition.prefixes, !prefixes.isEmpty {
      add("prefix", prefixes.sorted().map(String.init).joined(separator: " "))
    }
    if let columnSize = definition.columnSize { arguments.append("columnsize=\(columnSize)") }
    add("detail", definition.detail)
    return arguments
  }

  /// Creates the triggers that keep the index in step with another table, and fills the index.
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

/// What a table of ``FTS5`` is defined by.
public final class FTS5TableDefinition {
  fileprivate var columns: [FTS5ColumnDefinition] = []
  fileprivate var source = FullTextContent.own
  fileprivate let configuration: VirtualTableConfiguration

  fileprivate init(_ configuration: VirtualTableConfiguration) {
    self.configuration = configuration
  }

  /// What splits texts into words; `unicode61` unless it is set.
  ///
  ///     t.tokenizer = .porter()
  ///     // tokenize='porter'
  public var tokenizer: FTS5TokenizerDescriptor?

  /// The name of a table or view that holds the texts; empty when nothing does.
  ///
  ///     t.content = "document"
  ///     // content='document'
  public var content: String? {
    get { source.tableName }
    set { source = FullTextContent(tableName: newValue) }
  }

  /// The column of that table that holds the row ids; `rowid` unless it is set.
  public var contentRowID: String?

  /// The lengths, in characters, of the beginnings of words that get an index of their own.
  ///
  ///     t.prefixes = [2, 4]
  ///     // prefix='2 4'
  public var prefixes: Set<Int>?

  /// 0 for a smaller table, whose `bm25` must read the texts.
  public var columnSize: Int?

  /// `column` or `none` for a smaller index, which knows less of where words are.
  public var detail: String?

  /// Adds a column.
  @discardableResult
  public func column(_ name: String) -> FTS5ColumnDefinition {
    let column = FTS5ColumnDefinition(name)
    columns.append(column)
    return column
  }

  /// Takes the texts of another table, and follows its changes by triggers. Without columns of its own, the
  /// definition gets those of the table.
  ///
  ///     t.synchronize(withTable: "document")
  ///     // content='document', content_rowid='id'
  ///
  /// See ``Database/dropFTS5SynchronizationTriggers(forTable:)``.
  public func synchronize(withTable tableName: String) { source = .synchronized(tableName) }
}

/// A column of a table of ``FTS5``.
public final class FTS5ColumnDefinition {
  fileprivate let name: String
  fileprivate var isIndexed = true

  fileprivate init(_ name: String) {
    self.name = name
  }

  /// Keeps the column out of the index.
  ///
  ///     t.column("body").notIndexed()
  ///     // body UNINDEXED
  @discardableResult
  public func notIndexed() -> Self {
    isIndexed = false
    return self
  }
}

extension Database {
  /// Drops the triggers that keep a full-text table in step with another table, which
  /// ``FTS5TableDefinition/synchronize(withTable:)`` has made. Call it when the full-text table is dropped.
  ///
  /// - Throws: ``DatabaseError``.
  public func dropFTS5SynchronizationTriggers(forTable tableName: String) throws {
    try FullTextTriggers(fullTextTable: tableName).drop(self)
  }
}
